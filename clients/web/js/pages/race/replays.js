/**
 * The runs of a race side by side, all at the same moment of it.
 *
 * @import { Race, Racer, RulesPage } from "wire"
 * @typedef {Awaited<ReturnType<typeof readRun>>} Run
 */
import { readRace, readReplay, readRules } from "../../net/api.js";
import { stops } from "../../watch/run_comparison.js";
import { element, fill, link } from "../../ui/dom.js";
import { t } from "../../language/translate.js";
import { nameOf } from "../../ui/player_name.js";
import { positions, stepAt } from "../../game/replay_steps.js";
import { racersInOrder } from "../../race/race_state.js";
import { makeScrubber } from "../../watch/scrubber.js";
import { bringSheet } from "../../ui/load_css.js";
import { moveBetween, Showing } from "../../watch/board_viewer.js";
import { figuresWords, makeSide } from "../../watch/side_table.js";
import { duration, rankWords } from "../../language/format.js";

/** A race is looked at faster than it was run, unless one chooses otherwise. */
const SPEED = 8;
/** Up to three tables are as high as the screen leaves room beside what is around them, in pixels; none is lower than the least. */
const AROUND = 330;
const LEAST = 340;

/** @type {import("../../router.js").Show} */
export async function show(root, { race: id }, app) {
  await bringSheet("/style/theatre.css");
  const race = await readRace(id);
  const [rules, runs] = await Promise.all([readRules(race.rules), readRuns(race)]);
  app.title(t("races.replays_title", { game: rules.name }));
  const places = stops(runs.map(({ steps }) => steps), true);
  const length = places[places.length - 1];
  const height = () => Math.max(LEAST, runs.length > 3 ? 0 : innerHeight - AROUND);
  const seats = runs.map((run) => makeSeat(run, rules, height));
  const where = element("output", { class: "where" });
  const words = (/** @type {number} */ now) => t("replay.time_of", { now: duration(now), end: duration(length) });
  const scrubber = makeScrubber({ stops: places, timed: true, speed: SPEED, words, go(now) {
    seats.forEach(({ draw }) => draw(now));
    where.textContent = words(now);
  } });

  fill(root, element("header", { class: "heading" },
    element("p", { class: "eyebrow" }, link(`/race/${id}`, t("races.the_race"))), element("h1", {}, rules.name)),
  element("section", { class: "panel sides", "aria-label": t("replay.controls") }, scrubber.node, where),
  element("div", { class: "side-by-side" }, seats.map(({ node }) => node)));
  scrubber.go(0);
  return () => {
    scrubber.close();
    seats.forEach(({ close }) => close());
  };
}

/** @param {Race} race */
async function readRuns(race) {
  return Promise.all(racersInOrder(race).flatMap((racer) => (racer.meter ? [readRun(racer, racer.meter.game)] : [])));
}

/** @param {Racer} racer @param {string} game */
async function readRun(racer, game) {
  return { racer, steps: positions(await readReplay(game)) };
}

/** @param {Run} run @param {RulesPage} rules @param {() => number} height */
function makeSeat({ racer, steps }, rules, height) {
  const side = makeSide({
    heading: [racer.rank !== undefined && element("span", { class: "rank" }, rankWords(racer.rank)), " ", nameOf(racer.player)],
    label: t("watch.table_of", { player: racer.player.name }), height,
  });
  const table = new Showing(side.makeBoard(rules));
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
      side.figures.textContent = figuresWords(session);
    },
    close: () => table.close(),
  };
}
