/**
 * The player's own table with its tools, for a game played alone and for a game in a race.
 *
 * @import { RulesPage, View } from "wire"
 * @import { Session } from "../game/session.js"
 */
import { makeAgain } from "../daily/again.js";
import { gameCounts, isFinished, isOver } from "../game/session.js";
import { t } from "../language/translate.js";
import { onSettingsChange } from "../settings/settings.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, findElement, setGreyed } from "../ui/dom.js";
import { drawSign, shortened } from "../ui/shortened.js";
import { makeFirstGamePanel, showHelp } from "./brief_rules.js";
import { makeDeadEnd } from "./dead_end.js";
import { makeFirstMoves } from "./first_moves.js";
import { makeHint } from "./hint.js";
import { listenToKeys, UNDO } from "./keyboard.js";
import { makeMoveList } from "./move_list.js";
import { makeRestingClock } from "./resting_clock.js";
import { Table } from "./table.js";
import { makeTableFrame } from "./table_frame.js";
import { permitMove, showVerbs } from "./verb_buttons.js";

/** The time between the last card and the dialog about the end. */
const END_PAUSE_MILLISECONDS = 700;

/**
 * @typedef {{node: HTMLElement, band: HTMLElement, show: (session: Session) => void, close: () => void}} Aid
 * @typedef {(text: string, grave?: boolean) => void} Say
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
 * @param {((table: Table, rules: RulesPage, around: {say: Say, showMove: (text: string) => void}) => Aid)|null} [about.makeAid]
 *   makes one more tool: its button beside the hint, and its band under the table
 * @returns {Promise<{say: (text: string, grave?: boolean) => void, rules: RulesPage, close: () => void}>}
 */
export async function makePlayerTable(root, view, app, { title, band = null, warning, result = null, changed = () => {}, ended, makeAid = null }) {
  const verbs = element("span", { class: "verbs" });
  const watchers = element("span", { class: "watching" });
  const finish = button(t("seat.finish"), () => table.autoPlayer.start(), "button primary finish");
  const takeBack = button(shortened(t("seat.take_back"), drawSign("take_back")), () => table.takeBack());
  const resign = button(shortened(t("seat.resign"), drawSign("resign")), async () => {
    if (isOver(table.session)) frame.say(t("seat.over"), true);
    else if (await confirmAction(warning, t("seat.resign"))) table.resign();
  });
  const help = button("?", () => showHelp(frame.rules), "button help");
  help.setAttribute("aria-label", t("help.help"));
  help.title = t("help.help");
  const clock = makeRestingClock(view.game.id);
  const again = makeAgain(app, { session: () => table.session, say: (text) => frame.say(text, true) });
  const tools = [verbs, finish, takeBack, resign, ...(result ? [result] : [])];
  const frame = await makeTableFrame(root, view.game.rules, {
    title, note: watchers, tools, view: [again.node, help], home: Boolean(view.game.race), rested: clock.rested,
    rulesToggled: (open) => clock.rest(open && !isOver(table.session) && !gameCounts(table.session)),
  });
  if (band) findElement(root, ".strip").after(band);
  app.title(frame.rules.name);
  const deadEnd = makeDeadEnd({ maximum: frame.rules.maximum, takeBack: () => table.takeBack(), finish: () => table.resign() });
  frame.toolbar.before(deadEnd.node);
  let ending = 0;
  let tipVersion = 0;
  let isClosed = false;

  /** @param {Session} session */
  function showSession(session) {
    if (session.sight && session.sight !== "seat") {
      location.reload(); // Another player has signed in in this browser, or nobody is signed in: the page starts again.
      return;
    }
    frame.figures.show(session);
    showVerbs(verbs, session, table);
    watchers.textContent = session.watchers ? t("seat.watching", { count: session.watchers }) : "";
    setGreyed(takeBack, !session.canTakeBack);
    setGreyed(resign, isOver(session));
    resign.hidden = session.status === "stuck" || (result !== null && !result.hidden);
    again.show(session);
    deadEnd.show(session, table.commands.busy);
    showFinish();
    list.show(session);
    hint.show(session);
    aid?.show(session);
    if (session.version !== tipVersion && !panel?.isConnected && !view.game.race) firstMoves.show();
    tipVersion = session.version;
    changed(session);
    if (isOver(session)) clock.rest(false);
    // The last move tells the result, and the event after it the times: the panel shows both.
    if (session.milliseconds !== null && !ending) ending = setTimeout(() => showEnd(session), END_PAUSE_MILLISECONDS);
  }

  /** Show the end. A game that is won here, and not long ago, is celebrated first. @param {Session} session */
  async function showEnd(session) {
    if (session.status === "won" && !isFinished(view.status)) await table.celebrate();
    if (isClosed) return;
    ended({ ...session, milliseconds: (session.milliseconds ?? 0) - clock.rested() });
    if (!result) return;
    resign.hidden = true;
    result.hidden = false;
  }

  function showFinish() {
    finish.hidden = !table.autoPlayer.isPlaying && !table.offersAutoFinish;
    finish.disabled = !table.autoPlayer.canStart;
  }

  const table = new Table({
    root: frame.table, rules: frame.rules, room: frame.room, say: frame.say, connection: app.connection, game: view.game.id,
    changed: showSession,
    permit(text, session) {
      firstMoves.played(text);
      return permitMove(text, session);
    },
  });
  const firstMoves = makeFirstMoves(table, frame.rules.layout.piles.map(({ name }) => name));
  // A race leaves no time to read: there the rules are only behind "?".
  const panel = view.game.race || isFinished(view.status) ? null
    : makeFirstGamePanel(frame.rules, { done: () => firstMoves.show(), showRules: () => frame.showRules() });
  frame.toolbar.before(...(panel ? [panel] : []), firstMoves.node);
  const hint = makeHint(table, frame.say);
  const aid = makeAid?.(table, frame.rules, { say: frame.say, showMove: hint.showMove });
  takeBack.after(hint.node, ...(aid ? [aid.node] : []));
  if (aid) frame.toolbar.before(aid.band);
  const list = makeMoveList(table);
  frame.aboveRules.append(list.node);
  finish.hidden = true;
  if (result) result.hidden = true;
  const stops = [
    onSettingsChange(showFinish),
    listenToKeys({
      "?": () => showHelp(frame.rules),
      h: () => hint.ask(),
      u: () => table.takeBack(),
      [UNDO]: () => table.takeBack(),
      d: () => table.deal(),
      Escape: () => panel?.isConnected && findElement(panel, "button").click(),
    }),
  ];
  return {
    say: frame.say,
    rules: frame.rules,
    close() {
      isClosed = true;
      clearTimeout(ending);
      clock.rest(false);
      deadEnd.close();
      stops.forEach((stop) => stop());
      hint.clear();
      aid?.close();
      firstMoves.close();
      table.close();
      frame.close();
    },
  };
}
