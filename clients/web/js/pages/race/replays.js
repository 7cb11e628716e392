/**
 * The runs of a race side by side, all at the same time of the race.
 *
 * @import { Race, Racer, RulesPage } from "wire"
 * @typedef {Awaited<ReturnType<typeof readRun>>} Run
 */
import { replaySteps, stepAt } from "../../game/replay_steps.js";
import { durationWords, nameWords, rankWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { readRace, readReplay, readRules } from "../../net/api.js";
import { racerFigures, racersInOrder } from "../../race/race_state.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { playerName } from "../../ui/player_name.js";
import { BoardViewer, moveBetween } from "../../watch/board_viewer.js";
import { stops } from "../../watch/run_comparison.js";
import { makeScrubber } from "../../watch/scrubber.js";
import { makeSideTable } from "../../watch/side_table.js";

/** The speed at first: races are played back faster than they were. */
const SPEED = 8;
/** Up to three tables share the window's height with this much other content. No table is lower than the minimum. */
const OTHER_CONTENT_PIXELS = 330;
const MIN_HEIGHT_PIXELS = 340;

/** @type {import("../../router.js").Show} */
export async function show(root, { race: id }, app) {
  await loadCss("/style/watch.css");
  const race = await readRace(id);
  const [rules, runs] = await Promise.all([readRules(race.rules), readRuns(race)]);
  app.title(t("races.replays_title", { game: rules.name }));
  const places = stops(runs.map(({ steps }) => steps), true);
  const length = places[places.length - 1];
  const height = () => Math.max(MIN_HEIGHT_PIXELS, runs.length > 3 ? 0 : innerHeight - OTHER_CONTENT_PIXELS);
  const views = runs.map((run) => makeRunView(run, rules, height));
  const where = element("output", { class: "where" });
  const words = (/** @type {number} */ now) => t("replay.time_of", { now: durationWords(now), end: durationWords(length) });
  const scrubber = makeScrubber({ stops: places, timed: true, speed: SPEED, words, go(now) {
    views.forEach(({ draw }) => draw(now));
    where.textContent = words(now);
  } });

  fill(root, element("header", { class: "heading" },
    element("p", { class: "eyebrow" }, link(`/race/${id}`, t("races.the_race"))), element("h1", {}, rules.name)),
  element("section", { class: "panel sides", "aria-label": t("replay.controls") }, scrubber.node, where),
  element("div", { class: "side-by-side" }, views.map(({ node }) => node)));
  scrubber.go(0);
  return () => {
    scrubber.close();
    views.forEach(({ close }) => close());
  };
}

/** @param {Race} race */
async function readRuns(race) {
  return Promise.all(racersInOrder(race).flatMap((racer) => (racer.meter ? [readRun(racer, racer.meter.game)] : [])));
}

/** @param {Racer} racer @param {string} game */
async function readRun(racer, game) {
  return { racer, steps: replaySteps(await readReplay(game)) };
}

/** @param {Run} run @param {RulesPage} rules @param {() => number} height */
function makeRunView({ racer, steps }, rules, height) {
  const side = makeSideTable({
    heading: [racer.rank !== undefined && element("span", { class: "rank" }, rankWords(racer.rank)), " ", playerName(racer.player)],
    label: t("watch.table_of", { player: nameWords(racer.player) }), height,
  });
  const table = new BoardViewer(side.makeBoard(rules));
  let drawn = -1;
  return {
    node: side.node,
    /** @param {number} time */
    draw(time) {
      const index = stepAt(steps, time);
      if (index === drawn) return;
      const { session } = steps[index];
      table.show(session.piles, moveBetween(steps, drawn, index));
      drawn = index;
      side.figures.textContent = racerFigures(session.home, session.played);
    },
    close: () => table.close(),
  };
}
