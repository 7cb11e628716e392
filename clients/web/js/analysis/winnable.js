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
import { button, element, fill, setGreyed } from "../ui/dom.js";
import { showWay } from "./way_dialog.js";

/**
 * @param {Table} table
 * @param {RulesPage} rules
 * @param {{say: (text: string, grave?: boolean) => void, showMove: (text: string) => void}} around `showMove` points at a move
 */
export function makeWinnable(table, rules, { say, showMove }) {
  const { connection, game } = table;
  const node = button(t("winnable.ask"), ask);
  node.title = t("winnable.title");
  const band = element("div", { class: "dead-end winnable", role: "status" });
  /** The version that was asked about; 0 if none is. */
  let asked = 0;
  let isDecided = false;
  /** @type {HTMLDialogElement|null} */
  let dialog = null;

  async function ask() {
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
    const close = button("×", () => {
      drop();
      node.focus();
    }, "button close");
    close.setAttribute("aria-label", t("common.close"));
    fill(band, element("strong", {}, answerWords(answer)), element("span", { class: "actions" }, actions(answer), close));
  }

  /** @param {Winnability} answer */
  function actions({ verdict, steps = [] }) {
    if (verdict === "lost") return [button(t("seat.take_back"), () => table.takeBack())];
    if (verdict !== "won" || steps.length === 0) return [];
    return [
      button(t("winnable.show_move"), () => showMove(steps[0].move)),
      button(t("winnable.show_way"), async () => {
        const all = waySteps(table.session, steps);
        dialog = await showWay(rules, all, t("winnable.way", { count: steps.length }), t("winnable.back"));
      }),
    ];
  }

  function drop() {
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
      node.hidden = !canAsk(session) || isOver(session);
      setGreyed(node, !table.canPlay);
    },
    close() {
      stops.forEach((stop) => stop());
      dialog?.close();
    },
  };
}

/** @param {Winnability} answer */
function answerWords({ verdict, ahead }) {
  if (verdict) return t(`winnable.${verdict}`);
  return ahead ? t("winnable.waiting", { count: ahead }) : t("winnable.searching");
}

/** Whether a game counts for nothing, so that one may ask. @param {Session} session */
function canAsk({ game }) {
  return game !== null && !game.ranked && ["casual", "practice"].includes(game.mode);
}
