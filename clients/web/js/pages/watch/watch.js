/**
 * A live game of another player, with its past; or, while its cards may not be seen, only how far it is.
 *
 * @import { View } from "wire"
 * @import { App } from "../../main.js"
 * @import { SpectatorView } from "../../watch/spectator.js"
 */
import { makeRunReportButton } from "../../account/report.js";
import { Board } from "../../board/board.js";
import { dealState, isRevealed, levelWords } from "../../daily/deal_states.js";
import { confirmSpoil } from "../../daily/spoil_dialog.js";
import { isOver } from "../../game/session.js";
import { moveAnnouncement } from "../../language/announcements.js";
import { dayWords, nameWords, statusWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readDaily, readGame, readRules } from "../../net/api.js";
import { serverNow } from "../../net/server_clock.js";
import { makeTableFrame } from "../../table/table_frame.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { BoardViewer } from "../../watch/board_viewer.js";
import { makeProgressView, meterOf, watchMeter } from "../../watch/progress_view.js";
import { spectatorWords } from "../../watch/side_table.js";
import { Spectator } from "../../watch/spectator.js";
import { makeStepControls } from "../../watch/step_controls.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  await loadCss("/style/watch.css");
  const view = await readGame(game);
  app.title(t("watch.title", { player: nameWords(view.game.player) }));
  return view.sight === "meter" ? showProgress(root, view, app) : showBoard(root, view, app);
}

/** @param {HTMLElement} root @param {View} view @param {App} app */
async function showBoard(root, view, app) {
  const { id, player, rules: slug } = view.game;
  const watching = element("span", { class: "watching" });
  const stepControls = makeStepControls(() => spectator);
  const title = element("span", { class: "eyebrow" }, t("watch.title", { player: nameWords(player) }));
  const beside = link(`/theatre/${id}`, t("watch.beside"), "button");
  const frame = await makeTableFrame(root, slug, {
    title, tools: [stepControls.node, watching, beside, makeRunReportButton(view.game, app.player)].filter((node) => node !== null), home: Boolean(view.game.race),
  });
  const roles = new Map(frame.rules.layout.piles.map((place) => [place.name, place.role]));
  const role = (/** @type {string} */ pile) => roles.get(pile) ?? "";
  /** @type {Spectator|null} */
  let spectator = null;

  function makeBoard() {
    const label = t("watch.table", { game: frame.rules.name });
    return new BoardViewer(new Board(frame.table, frame.rules, { label, room: frame.room }));
  }
  /** @param {SpectatorView} seen */
  function changed(seen) {
    const { session, step, played } = seen;
    frame.figures.show(step ? { ...step.session, milliseconds: step.at } : session);
    stepControls.show(seen);
    fill(watching, ...audienceNodes(seen, id));
    if (!step && played && session.piles) frame.say(moveAnnouncement(played.before, played.effects, session.piles, role));
  }

  spectator = new Spectator({
    connection: app.connection, game: id, board: makeBoard, changed, failed: (refusal) => frame.say(refusalWords(refusal), true),
  });
  addEventListener("keydown", stepControls.key);
  return () => {
    removeEventListener("keydown", stepControls.key);
    spectator?.close();
    frame.close();
  };
}

/** Who watches, or that the game is over. @param {SpectatorView} seen @param {string} id */
function audienceNodes({ session, names }, id) {
  if (!isOver(session)) return [document.createTextNode(spectatorWords(session.watchers, names))];
  const over = t("watch.over", { status: statusWords(session.status) });
  return [document.createTextNode(`${over} `), link(`/replay/${id}`, t("watch.replay"))];
}

/** @param {HTMLElement} root @param {View} view @param {App} app */
async function showProgress(root, view, app) {
  const { day, slot, player, id, race } = view.game;
  if (race) {
    app.go(`/race/${race}`, { replace: true });
    return undefined;
  }
  const [daily, { maximum }] = await Promise.all([readDaily(day ?? "today"), readRules(view.game.rules)]);
  const deal = daily.deals.find((one) => one.slot === slot) ?? daily.deals[0];
  const state = dealState(deal, daily, serverNow());
  const progressView = makeProgressView(maximum);
  const problem = element("p", { class: "problem", role: "alert" });
  const spoil = async () => {
    try {
      if (await confirmSpoil(daily, deal, app)) app.go(`/watch/${id}`, { replace: true });
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  progressView.show(meterOf(view));
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, t("watch.deal_of", { level: levelWords(deal.level), day: dayWords(daily.day) })),
      element("h1", {}, t("watch.title", { player: nameWords(player) }))),
    element("section", { class: "panel" },
      progressView.node,
      element("p", { class: "lead" }, t("watch.covered")),
      element("p", {}, t(isRevealed(state) ? "watch.covered_new" : "watch.covered_why")),
      element("p", { class: "actions" },
        state === "begun" ? link(`/play/${deal.your_game}`, t("watch.own"), "button primary")
          : link("/", t("watch.todays_deals"), "button primary"),
        ["fresh", "begun"].includes(state) && button(t("watch.spoil"), spoil, "quiet"),
        makeRunReportButton(view.game, app.player)), problem));
  return watchMeter(app, view.game, progressView.show);
}
