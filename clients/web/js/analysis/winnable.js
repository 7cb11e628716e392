/**
 * "Still winnable?" at the table: asks the server whether the present position can still be won, and shows the answer as long as
 * the position is the same.
 *
 * @import { RulesPage, Winnability } from "wire"
 * @import { Session } from "../game/session.js"
 * @import { Table } from "../table/table.js"
 */
import { waySteps } from "../game/replay_steps.js";
import { isOver } from "../game/session.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { shortened } from "../ui/shortened.js";
import { button, element, fill, setGreyed } from "../ui/dom.js";
import { showWay } from "./winning_line_dialog.js";

/** After this time without a verdict the page asks again, to be told whether anybody searches. */
const PATIENCE_MILLISECONDS = 8000;

/**
 * @param {Table} table
 * @param {RulesPage} rules
 * @param {{say: (text: string, grave?: boolean) => void, showMove: (text: string) => void}} around `showMove` points at a move
 */
export function makeWinnable(table, rules, { say, showMove }) {
  const { connection, game } = table;
  const node = button(shortened(t("winnable.ask"), t("winnable.ask_short")), ask);
  node.title = t("winnable.title");
  const band = element("div", { class: "dead-end winnable", role: "status" });
  /** The version that was asked about; 0 if none is. */
  let asked = 0;
  let isDecided = false;
  /** How many moves are still to be taken back, the version that the last one was sent for, and how many were played by then. */
  let back = { count: 0, version: 0, played: 0 };
  /** @type {HTMLDialogElement|null} */
  let dialog = null;
  let again = 0;

  async function ask() {
    clearTimeout(again);
    if (table.commands.busy) return;
    asked = table.session.version;
    isDecided = false;
    try {
      const answer = await connection.command({ type: "ask_if_winnable", game, version: asked });
      if (answer.type === "winnability") receive(answer);
    } catch (refusal) {
      drop();
      say(refusalWords(refusal), true);
    }
  }

  /** @param {Winnability} answer */
  function receive(answer) {
    if (answer.version !== asked || (isDecided && !answer.verdict)) return;
    isDecided = answer.verdict !== undefined;
    clearTimeout(again);
    if (!isDecided && !answer.unattended) again = setTimeout(ask, PATIENCE_MILLISECONDS);
    const close = button("×", () => {
      drop();
      node.focus();
    }, "button close");
    close.setAttribute("aria-label", t("common.close"));
    fill(band, element("strong", {}, answerWords(answer)), element("span", { class: "actions" }, actions(answer), close));
  }

  /** @param {Winnability} answer */
  function actions({ verdict, steps = [], moves_since_won: count = 0 }) {
    if (verdict === "lost") {
      const further = count > 1 && button(t("winnable.take_back_to_won", { count }), () => {
        back = { count, version: 0, played: table.session.played };
        takeBackNext(table.session);
      });
      return [further, button(t("seat.take_back"), () => table.takeBack())];
    }
    if (verdict !== "won" || steps.length === 0) return [];
    return [
      button(t("winnable.show_move"), () => showMove(steps[0].move)),
      button(t("winnable.show_way"), async () => {
        const all = waySteps(table.session, steps);
        dialog = await showWay(rules, all, t("winnable.way", { count: steps.length }), t("winnable.back"));
      }),
    ];
  }

  /** Take back the next of several moves, once the one before is: unless that was refused, or the player has played on. @param {Session} session */
  function takeBackNext({ version, played }) {
    if (back.count === 0 || table.commands.busy) return;
    const goesOn = version !== back.version && played === back.played;
    back = { count: goesOn ? back.count - 1 : 0, version, played };
    if (goesOn) table.takeBack();
  }

  function drop() {
    clearTimeout(again);
    asked = 0;
    fill(band);
  }

  const stops = [
    connection.onVerdict(game, receive),
    // The answer may have come while the connection was lost.
    connection.onStateChange((isOpen) => isOpen && asked > 0 && !isDecided && band.hasChildNodes() && ask()),
  ];
  return {
    node, band,
    /** @param {Session} session */
    show(session) {
      if (asked && session.version !== asked) drop();
      node.hidden = !session.mayAskIfWinnable || isOver(session);
      setGreyed(node, !table.canPlay);
      takeBackNext(session);
    },
    close() {
      clearTimeout(again);
      stops.forEach((stop) => stop());
      dialog?.close();
    },
  };
}

/** @param {Winnability} answer */
function answerWords({ verdict, ahead, unattended }) {
  if (verdict) return t(`winnable.${verdict}`);
  if (unattended) return t("winnable.unattended");
  return ahead ? t("winnable.waiting", { count: ahead }) : t("winnable.searching");
}
