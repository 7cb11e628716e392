import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { appendMessage, replaySteps, stepAt } from "../../../clients/web/js/game/replay_steps.js";
import { stepWords } from "../../../clients/web/js/language/format.js";

const card = { id: "g", started_at: 1000 };
const dealt = { game: card, sight: "board", version: 1, piles: { stock: [2], waste: [] }, score: 0, home: 0, moves: 0 };
const played = (version, at) => ({ type: "move_played", game: "g", version, move: "deal", piles: { waste: ["AS"] }, score: version, home: 0, moves: version - 1, at });

test("the steps of a replay have the time since the deal, and its end is no step", () => {
  const steps = replaySteps({ dealt, messages: [played(2, 4000), played(3, 9500), { type: "game_finished", game: "g", version: 4, result: "resigned" }] });
  assert.deepEqual(steps.map(({ at }) => at), [0, 3000, 8500]);
  assert.equal(steps.at(-1).session.status, "resigned");
});

test("the next message adds a step, and a known message or one that comes too soon adds none", () => {
  const steps = replaySteps({ dealt, messages: [played(2, 4000)] });
  assert.deepEqual([appendMessage(steps, played(3, 5000)).length, appendMessage(steps, played(2, 4000)).length, appendMessage(steps, played(4, 6000)).length], [3, 2, 2]);
});

test("the deal, a move and a move taken back have words", () => {
  const back = { type: "move_taken_back", game: "g", version: 3, piles: { waste: [] }, at: 5000 };
  assert.deepEqual(replaySteps({ dealt, messages: [played(2, 4000), back] }).map(stepWords), ["The deal", "Deal", "Taken back"]);
});

test("the step at a time is the last one before it", () => {
  const steps = [{ at: 0 }, { at: 3000 }, { at: 8500 }];
  assert.deepEqual([0, 2999, 3000, 60000].map((time) => stepAt(steps, time)), [0, 0, 1, 2]);
});
