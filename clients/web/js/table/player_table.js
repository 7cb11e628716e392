/**
 * The player's own table with its tools, for a game played alone and for a game in a race.
 *
 * @import { RulesPage, View } from "wire"
 * @import { Session } from "../game/session.js"
 */
import { stockAction } from "../game/selection.js";
import { isOver } from "../game/session.js";
import { verbWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { onSettingsChange } from "../settings/settings.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, fill, findElement } from "../ui/dom.js";
import { listenToKeys, showKeyboardHelp } from "./keyboard.js";
import { makeMoveList } from "./move_list.js";
import { Table } from "./table.js";
import { makeTableFrame } from "./table_frame.js";

/** The time between the last card and the dialog about the end. */
const END_PAUSE_MILLISECONDS = 700;

/**
 * @param {HTMLElement} root
 * @param {View} view the game as the server sends it to its player
 * @param {import("../main.js").App} app
 * @param {Object} about
 * @param {Node} about.title
 * @param {HTMLElement|null} [about.band] shown between the figures and the table
 * @param {string} about.warning the question before resigning
 * @param {HTMLElement|null} [about.result] the button that replaces "resign" after the end has been shown
 * @param {(session: Session) => void} [about.changed]
 * @param {(session: Session) => void} about.ended called once, after the end
 * @returns {Promise<{say: (text: string, grave?: boolean) => void, rules: RulesPage, close: () => void}>}
 */
export async function makePlayerTable(root, view, app, { title, band = null, warning, result = null, changed = () => {}, ended }) {
  const verbs = element("span", { class: "verbs" });
  const watchers = element("span", { class: "watching" });
  const finish = button(t("seat.finish"), () => table.autoPlayer.start(), "button primary finish");
  const takeBack = button(t("seat.take_back"), () => table.takeBack());
  const resign = button(t("seat.resign"), async () => {
    if (await confirmAction(warning, t("seat.resign"))) table.resign();
  });
  const keys = button("?", showKeyboardHelp, "button help");
  keys.setAttribute("aria-label", t("seat.keys_title"));
  keys.title = t("seat.keys_title");
  const tools = [verbs, finish, takeBack, resign, ...(result ? [result] : []), keys];
  const frame = await makeTableFrame(root, view.game.rules, { title, note: watchers, tools });
  if (band) findElement(root, ".strip").after(band);
  app.title(frame.rules.name);
  const sayOnceIfStuck = callOncePerAnswer((session) => session.status === "stuck" && session.version,
    (session) => frame.say(t(session.canTakeBack ? "seat.stuck" : "seat.stuck_for_good"), true));
  let ending = 0;
  const handleEndOnce = callOncePerAnswer(isOver, (session) => {
    ending = setTimeout(() => {
      ended(session);
      if (!result) return;
      resign.hidden = true;
      result.hidden = false;
    }, END_PAUSE_MILLISECONDS);
  });

  /** @param {Session} session */
  function showSession(session) {
    if (session.sight && session.sight !== "seat") {
      location.reload(); // Another player has signed in in this browser, or nobody is signed in: the page starts again.
      return;
    }
    frame.figures.show(session);
    showVerbs(verbs, session, table);
    watchers.textContent = session.watchers ? t("seat.watching", { count: session.watchers }) : "";
    takeBack.disabled = !session.canTakeBack;
    resign.disabled = isOver(session);
    showFinish();
    list.show(session);
    sayOnceIfStuck(session);
    changed(session);
    handleEndOnce(session);
  }

  function showFinish() {
    finish.hidden = !table.autoPlayer.isPlaying && !table.offersAutoFinish;
    finish.disabled = !table.autoPlayer.canStart;
  }

  const table = new Table({
    root: frame.table, rules: frame.rules, room: frame.room, say: frame.say, connection: app.connection, game: view.game.id,
    changed: showSession,
  });
  const list = makeMoveList(table);
  frame.aboveRules.append(list.node);
  finish.hidden = true;
  if (result) result.hidden = true;
  const stops = [
    onSettingsChange(showFinish),
    listenToKeys({
      "?": showKeyboardHelp,
      u: () => table.session.canTakeBack && table.takeBack(),
      d: () => {
        const action = stockAction(table.moves, "stock");
        if (action) table.play(action);
      },
    }),
  ];
  return {
    say: frame.say,
    rules: frame.rules,
    close() {
      clearTimeout(ending);
      stops.forEach((stop) => stop());
      table.close();
      frame.close();
    },
  };
}

/**
 * Verbs as buttons. A button highlights the piles that its verb names.
 * @param {HTMLElement} place
 * @param {Session} session
 * @param {Table} table
 */
function showVerbs(place, session, table) {
  const focused = document.activeElement?.textContent;
  const held = place.contains(document.activeElement);
  fill(place, session.moves.filter((move) => move.kind === "verb").map((move) => {
    const made = button(verbWords(move.text), () => table.play(move.text), "button verb");
    for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => table.board.highlightPiles(move.piles));
    for (const event of ["pointerleave", "blur", "click"]) made.addEventListener(event, () => table.board.highlightPiles([]));
    return made;
  }));
  if (held) [...place.querySelectorAll("button")].find(({ textContent }) => textContent === focused)?.focus();
}

/**
 * Calls a function once for each new true answer to a question.
 * @param {(session: Session) => unknown} question
 * @param {(session: Session) => void} call
 */
function callOncePerAnswer(question, call) {
  /** @type {unknown} */
  let known;
  return (/** @type {Session} */ session) => {
    const answer = question(session);
    if (answer && answer !== known) {
      known = answer;
      call(session);
    }
  };
}
