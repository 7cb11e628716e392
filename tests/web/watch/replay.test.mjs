import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { samePosition, firstDifference, sameDeal, scorePoints, stepAtPlace, stops } from "../../../clients/web/js/watch/run_comparison.js";
import { abbreviations, notation, shortWords } from "../../../clients/web/js/watch/notation.js";
import { tablePlaces, stepPath, valueRange, valueAt } from "../../../clients/web/js/watch/line_chart.js";
import { replaySteps } from "../../../clients/web/js/game/replay_steps.js";
import { stopAfter, stopBefore } from "../../../clients/web/js/watch/scrubber.js";
import { moveBetween } from "../../../clients/web/js/watch/board_viewer.js";
import { changeSettings } from "../../../clients/web/js/settings/settings.js";

const piles = { "tableau.0": ["KS", "7H"], "tableau.1": ["8C"], "tableau.2": ["QD"], "talon": [3] };

/** A run of Klondike: each move with the piles it leaves, the score and the seconds since the deal. */
function run(moves, own = {}) {
  const game = { id: "g", rules: "klondike", started_at: 0, ...own };
  const messages = moves.map(([move, after, score, seconds], index) => ({
    type: "move_played", game: "g", version: index + 2, move, piles: after, score, home: 0, moves: index + 1, at: seconds * 1000,
  }));
  return replaySteps({ dealt: { game, sight: "board", version: 1, piles, score: 0, home: 0, moves: 0 }, messages });
}

const first = ["tableau.0/tableau.1", { "tableau.0": ["KS"], "tableau.1": ["8C", "7H"] }, 5, 2];
const kings = ["tableau.2/tableau.0", { "tableau.0": ["KS", "QD"], "tableau.2": [] }, 15, 9];
const early = ["tableau.2/tableau.0", { "tableau.0": ["KS", "7H", "QD"], "tableau.2": [] }, 1, 4];

test("the first difference is the first move that differs, not the end of the shorter run", () => {
  assert.equal(firstDifference(run([first, kings]), run([first, ["talon", {}, 5, 3]])), 2);
  assert.equal(firstDifference(run([first, kings]), run([first])), null);
});

test("two runs are of one deal only if they began with the same cards by the same rules", () => {
  assert.ok(sameDeal(run([first]), run([kings])));
  assert.ok(!sameDeal(run([first]), run([first], { rules: "quatorze" })));
  const other = replaySteps({ dealt: { game: { rules: "klondike" }, version: 1, piles: { ...piles, talon: [4] } }, messages: [] });
  assert.ok(!sameDeal(run([first]), other));
});

test("two runs are compared by the positions they show, by move or by time", () => {
  const [one, other] = [run([first, kings]), run([early])];
  assert.deepEqual([stepAtPlace(one, 9, false), stepAtPlace(one, 5000, true), stepAtPlace(other, 5000, true)], [2, 1, 1]);
  assert.ok(samePosition(one[0], other[0]));
  assert.ok(!samePosition(one[1], other[1]));
});

test("two runs have a stop for each move of the longer one, or for each time at which either moved", () => {
  const runs = [run([first, kings]), run([early])];
  assert.deepEqual(stops(runs, false), [0, 1, 2]);
  assert.deepEqual(stops(runs, true), [0, 2000, 4000, 9000]);
});

test("a step goes to the next stop, and not beyond the ends", () => {
  const places = [0, 2000, 4000];
  assert.deepEqual([0, 1500, 4000].map((now) => stopAfter(places, now)), [2000, 2000, 4000]);
  assert.deepEqual([0, 2500, 4000].map((now) => stopBefore(places, now)), [0, 2000, 2000]);
});

test("the line of a score keeps its height until the score changes", () => {
  const points = scorePoints(run([first, kings]), false);
  assert.deepEqual(points, [[0, 0], [1, 5], [2, 15]]);
  assert.equal(stepPath(points, { end: 2, least: 0, most: 15, width: 100, height: 30 }), "M0 30H50V20H100V0");
  assert.deepEqual([-1, 0.5, 1, 7].map((place) => valueAt(points, place)), [0, 0, 5, 15]);
});

test("a score that never changes can be drawn too", () => {
  assert.deepEqual(valueRange([{ name: "", points: [[0, -52], [9, -52]] }]), [-52, -51]);
});

test("the table beside a chart has about a dozen rows, and the end is one of them", () => {
  assert.deepEqual(tablePlaces(3), [0, 1, 2, 3]);
  assert.deepEqual([tablePlaces(240).length, tablePlaces(240).at(-1)], [13, 240]);
});

test("groups of piles are shortened to as few letters as tell them apart", () => {
  const short = abbreviations(["tableau.0", "tableau.1", "commons.0", "foundation.0"]);
  assert.deepEqual([...short], [["tableau", "COL"], ["commons", "COM"], ["foundation", "F"]]);
});

test("the next step is shown by its effects, and any other step at once", () => {
  const message = { type: "move_played", game: "g", version: 2, move: first[0], effects: ["moved tableau.0 tableau.1 1"], piles: first[1], at: 1 };
  const steps = replaySteps({ dealt: { game: { id: "g", rules: "klondike", started_at: 0 }, version: 1, piles }, messages: [message, { ...message, version: 3 }] });
  assert.deepEqual(moveBetween(steps, 0, 1), { before: steps[0].session.piles, effects: message.effects });
  assert.deepEqual([[-1, 0], [1, 0], [0, 2]].map(([from, to]) => moveBetween(steps, from, to)), [null, null, null]);
});

test("short notation names the card that moves, and where", () => {
  const steps = run([first, kings]);
  const short = abbreviations(Object.keys(piles));
  assert.deepEqual([1, 2].map((index) => shortWords(steps[index].move, steps[index - 1].session.piles, short)), ["7♥ C1–C2", "Q♦ C3–C1"]);
});

test("moves are written in words or in short notation, as the setting says", () => {
  const steps = run([first]);
  assert.deepEqual(notation(steps), ["The deal", "seven of hearts: column 1 to column 2"]);
  changeSettings({ notation: "short" });
  assert.deepEqual(notation(steps), ["The deal", "7♥ C1–C2"]);
});
