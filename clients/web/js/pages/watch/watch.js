/**
 * Somebody's game, live, with the way back through it; or, while its cards may not be seen, only how far it is.
 *
 * @import { View } from "wire"
 * @import { App } from "../../main.js"
 * @import { Seen } from "../../watch/spectator.js"
 */
import { readDaily, readGame } from "../../net/api.js";
import { makeBackstep } from "../../watch/step_controls.js";
import { Board } from "../../board/board.js";
import { followMeter, makeCovered, meterOf } from "../../watch/progress_view.js";
import { isOpen, levelWords, standing } from "../../daily/deal_states.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { t } from "../../language/translate.js";
import { parseMove } from "../../game/moves.js";
import { refusalWords } from "../../language/refusals.js";
import { Screening } from "../../watch/spectator.js";
import { isOver } from "../../game/session.js";
import { bringSheet } from "../../ui/load_css.js";
import { Showing } from "../../watch/board_viewer.js";
import { watchingWords } from "../../watch/side_table.js";
import { askToBeSpoiled } from "../../daily/spoil_dialog.js";
import { makeStage } from "../../table/table_frame.js";
import { dayWords, moveWords, statusWords } from "../../language/format.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  await bringSheet("/style/theatre.css");
  const view = await readGame(game);
  app.title(t("watch.title", { player: view.game.player.name }));
  return view.sight === "meter" ? meter(root, view, app) : board(root, view, app);
}

/** @param {HTMLElement} root @param {View} view @param {App} app */
async function board(root, view, app) {
  const { id, player, rules: slug } = view.game;
  const watching = element("span", { class: "watching" });
  const backstep = makeBackstep(() => screening);
  const title = element("span", { class: "eyebrow" }, t("watch.title", { player: player.name }));
  const beside = link(`/theatre/${id}`, t("watch.beside"), "button");
  const stage = await makeStage(root, slug, { title, tools: [backstep.node, watching, beside] });
  /** @type {Screening|null} */
  let screening = null;

  function makeBoard() {
    const label = t("watch.table", { game: stage.rules.name });
    return new Showing(new Board(stage.table, stage.rules.layout, { label, room: stage.room }));
  }
  /** @param {Seen} seen */
  function changed(seen) {
    const { session, step, news } = seen;
    stage.stats.show(step ? { ...step.session, milliseconds: step.at } : session);
    backstep.show(seen);
    fill(watching, ...audience(seen, id));
    const piles = session.piles ?? {};
    if (!step && news?.type === "move_played") stage.say(moveWords(parseMove(news.move, (name) => name in piles)));
  }

  screening = new Screening({
    connection: app.connection, game: id, board: makeBoard, changed, failed: (refusal) => stage.say(refusalWords(refusal), true),
  });
  addEventListener("keydown", backstep.key);
  return () => {
    removeEventListener("keydown", backstep.key);
    screening?.close();
    stage.close();
  };
}

/** Who looks on, or that there is nothing more to come. @param {Seen} seen @param {string} id */
function audience({ session, names }, id) {
  if (!isOver(session)) return [document.createTextNode(watchingWords(session.watchers, names))];
  const over = t("watch.over", { status: statusWords(session.status) });
  return [document.createTextNode(`${over} `), link(`/replay/${id}`, t("watch.replay"))];
}

/** @param {HTMLElement} root @param {View} view @param {App} app */
async function meter(root, view, app) {
  const { day, slot, player, id, race } = view.game;
  if (race) {
    app.go(`/race/${race}`, { replace: true });
    return undefined;
  }
  const daily = await readDaily(day ?? "today");
  const deal = daily.deals.find((one) => one.slot === slot) ?? daily.deals[0];
  const stands = standing(deal, daily, Date.now());
  const covered = makeCovered();
  const problem = element("p", { class: "problem", role: "alert" });
  const spoil = async () => {
    try {
      if (await askToBeSpoiled(daily, deal, app)) app.go(`/watch/${id}`, { replace: true });
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  covered.show(meterOf(view));
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, t("watch.deal_of", { level: levelWords(deal.level), day: dayWords(daily.day) })),
      element("h1", {}, t("watch.title", { player: player.name }))),
    element("section", { class: "panel" },
      covered.node,
      element("p", { class: "lead" }, t("watch.covered")),
      element("p", {}, t(isOpen(stands) ? "watch.covered_new" : "watch.covered_why")),
      element("p", { class: "actions" },
        stands === "begun" ? link(`/play/${deal.your_game}`, t("watch.own"), "button primary")
          : link("/", t("watch.todays_deals"), "button primary"),
        ["fresh", "begun"].includes(stands) && button(t("watch.spoil"), spoil, "quiet")), problem));
  return followMeter(app, view.game, covered.show);
}
