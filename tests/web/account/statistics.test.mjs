import assert from "node:assert/strict";
import { test } from "node:test";
import { rectangles } from "../../../clients/web/js/account/bar_plot.js";
import { MIN_WEEKS, weekFigures } from "../../../clients/web/js/account/week_figures.js";
import { badgeKind } from "../../../clients/web/js/daily/streak_badge.js";

const tally = (week, rules, played, won, best, mean) => ({ week, rules, played, won, best_score: best, mean_score: mean });
const PROFILE = { week: "2026-W02", weeks: [
  tally("2025-W40", "maze", 4, 1, 52, 20), tally("2026-W01", "maze", 2, 0, 30, 25), tally("2026-W02", "klondike", 1, 1, 208, 208),
  tally("2026-W02", "maze", 3, 2, 52, 40.5),
] };

test("weeks go from the first one with a game to this one, over the end of a year", () => {
  const weeks = weekFigures(PROFILE, "").map(({ week }) => week);
  assert.deepEqual([weeks[0], weeks.at(-2), weeks.at(-1)], ["2025-W40", "2026-W01", "2026-W02"]);
  assert.equal(weeks.length, 15);
});

test("of all games together the games are counted, and scores are not compared", () => {
  assert.deepEqual(weekFigures(PROFILE, "").at(-1), { week: "2026-W02", played: 4, won: 3, best: null, mean: null });
});

test("of one game each week has its best and its average score, and nothing where nothing was played", () => {
  const klondike = weekFigures(PROFILE, "klondike");
  assert.equal(klondike.length, MIN_WEEKS);
  assert.deepEqual(klondike.slice(-2), [
    { week: "2026-W01", played: 0, won: 0, best: null, mean: null }, { week: "2026-W02", played: 1, won: 1, best: 208, mean: 208 },
  ]);
  assert.equal(weekFigures({ week: "2026-W02", weeks: [] }, "").length, MIN_WEEKS);
});

test("bars have their height on the scale, and none below zero", () => {
  assert.deepEqual(rectangles([{ height: 4, part: 1 }, { height: -3, part: -5 }, { height: 2, part: 9 }], 4), [
    { x: 0, whole: 100, part: 25 }, { x: 10, whole: 0, part: 0 }, { x: 20, whole: 50, part: 50 },
  ]);
});

test("a streak has a badge from two days on, a better one from a week and from a month on", () => {
  assert.deepEqual([0, 1, 2, 6, 7, 29, 30].map(badgeKind), [null, null, "bronze", "bronze", "silver", "silver", "gold"]);
});
