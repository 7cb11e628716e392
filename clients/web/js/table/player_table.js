/**
 * A table of one's own with its tools: what a game played alone and a game in a race have in common.
 *
 * @import { RulesPage, View } from "wire"
 * @import { Session } from "../game/session.js"
 */
import { ask } from "../ui/dialogs.js";
import { button, element, fill, found } from "../ui/dom.js";
import { showKeys, watchKeys } from "./keyboard.js";
import { t } from "../language/translate.js";
import { makeMoveList } from "./move_list.js";
import { stockAction } from "../game/selection.js";
import { isOver } from "../game/session.js";
import { onSettings } from "../settings/settings.js";
import { makeStage } from "./table_frame.js";
import { Table } from "./table.js";
import { verbWords } from "../language/format.js";

/** The last card is seen to lie before anything is said about the end, in milliseconds. */
const PAUSE = 700;

/**
 * @param {HTMLElement} root
 * @param {View} view the game as the server shows it to its player
 * @param {import("../main.js").App} app
 * @param {Object} about
 * @param {Node} about.title
 * @param {HTMLElement|null} [about.band] between the figures and the table
 * @param {string} about.warning asked before resigning
 * @param {HTMLElement|null} [about.result] a tool that stands where one resigned, once the end has been told
 * @param {(session: Session) => void} [about.changed]
 * @param {(session: Session) => void} about.ended told once
 * @returns {Promise<{say: (text: string, grave?: boolean) => void, rules: RulesPage, close: () => void}>}
 */
export async function takeSeat(root, view, app, { title, band = null, warning, result = null, changed = () => {}, ended }) {
  const verbs = element("span", { class: "verbs" });
  const watchers = element("span", { class: "watching" });
  const finish = button(t("seat.finish"), () => table.finisher.start(), "button primary finish");
  const takeBack = button(t("seat.take_back"), () => table.takeBack());
  const resign = button(t("seat.resign"), async () => {
    if (await ask(warning, t("seat.resign"))) table.resign();
  });
  const keys = button("?", showKeys, "button help");
  keys.setAttribute("aria-label", t("seat.keys_title"));
  keys.title = t("seat.keys_title");
  const tools = [verbs, finish, takeBack, resign, ...(result ? [result] : []), keys];
  const stage = await makeStage(root, view.game.rules, { title, note: watchers, tools });
  if (band) found(root, ".strip").after(band);
  app.title(stage.rules.name);
  const stuck = once((session) => session.status === "stuck" && session.version,
    (session) => stage.say(t(session.canTakeBack ? "seat.stuck" : "seat.stuck_for_good"), true));
  let ending = 0;
  const end = once(isOver, (session) => {
    ending = setTimeout(() => {
      ended(session);
      if (!result) return;
      resign.hidden = true;
      result.hidden = false;
    }, PAUSE);
  });

  /** @param {Session} session */
  function follow(session) {
    if (session.sight && session.sight !== "seat") {
      location.reload(); // Somebody else sits at this browser now, or nobody: the page begins anew for them.
      return;
    }
    stage.stats.show(session);
    showVerbs(verbs, session, table);
    watchers.textContent = session.watchers ? t("seat.watching", { count: session.watchers }) : "";
    takeBack.disabled = !session.canTakeBack;
    resign.disabled = isOver(session);
    showFinish();
    list.show(session);
    stuck(session);
    changed(session);
    end(session);
  }

  function showFinish() {
    finish.hidden = !table.finisher.on && !table.decided;
    finish.disabled = !table.finisher.ready;
  }

  const table = new Table({
    root: stage.table, rules: stage.rules, room: stage.room, say: stage.say, connection: app.connection, game: view.game.id,
    changed: follow,
  });
  const list = makeMoveList(table);
  stage.beside.append(list.node);
  finish.hidden = true;
  if (result) result.hidden = true;
  const stops = [
    onSettings(showFinish),
    watchKeys({
      "?": showKeys,
      u: () => table.session.canTakeBack && table.takeBack(),
      d: () => {
        const action = stockAction(table.moves, "stock");
        if (action) table.play(action);
      },
    }),
  ];
  return {
    say: stage.say,
    rules: stage.rules,
    close() {
      clearTimeout(ending);
      stops.forEach((stop) => stop());
      table.close();
      stage.close();
    },
  };
}

/**
 * Moves that are no handling of cards as buttons; those that name piles point at them.
 * @param {HTMLElement} place
 * @param {Session} session
 * @param {Table} table
 */
function showVerbs(place, session, table) {
  const focused = document.activeElement?.textContent;
  const held = place.contains(document.activeElement);
  fill(place, session.moves.filter((move) => move.kind === "verb").map((move) => {
    const made = button(verbWords(move.text), () => table.play(move.text), "button verb");
    for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => table.board.point(move.piles));
    for (const event of ["pointerleave", "blur", "click"]) made.addEventListener(event, () => table.board.point([]));
    return made;
  }));
  if (held) [...place.querySelectorAll("button")].find(({ textContent }) => textContent === focused)?.focus();
}

/**
 * Tells of something once for each true answer to a question.
 * @param {(session: Session) => unknown} question
 * @param {(session: Session) => void} tell
 */
function once(question, tell) {
  /** @type {unknown} */
  let known;
  return (/** @type {Session} */ session) => {
    const answer = question(session);
    if (answer && answer !== known) {
      known = answer;
      tell(session);
    }
  };
}
