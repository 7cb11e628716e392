import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { phrasesAtEnd } from "../../../clients/web/js/reactions/reactions_bar.js";

const MAXIMUM = 52;

/** Whether "So close!" is among the phrases. */
const isClose = (what, end) => phrasesAtEnd(what, end).includes("so_close");

test("a run that was given up at once was not close, whoever speaks of it", () => {
  for (const what of ["own", "other"]) assert.equal(isClose(what, { reached: 0, goal: MAXIMUM }), false, what);
});

test("a run that lacked a few cards was close, whoever speaks of it", () => {
  for (const what of ["own", "other"]) assert.equal(isClose(what, { reached: 47, goal: MAXIMUM }), true, what);
});

test("a run that was won was not close", () => {
  assert.equal(isClose("own", { won: true, reached: MAXIMUM, goal: MAXIMUM }), false);
});

test("a race was close if the second had nearly as many cards home as the first", () => {
  assert.equal(isClose("race", { reached: 20, goal: 22 }), true);
  assert.equal(isClose("race", { reached: 3, goal: 22 }), false);
});

test("a race in which nobody brought a card home was not close", () => {
  assert.equal(isClose("race", { reached: 0, goal: 0 }), false);
});

test("with every end there is something else to say", () => {
  assert.deepEqual(["own", "other", "race"].map((what) => phrasesAtEnd(what, { reached: 0, goal: 0 })),
    [["thanks"], ["well_played"], ["well_played", "thanks", "again"]]);
});
