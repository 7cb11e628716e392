import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { dealsTodayWords, levelWords, nextDeal, dealState, streakWords } from "../../../clients/web/js/daily/deal_states.js";

const OPEN = { state: "open", ends_at: 100 };
const CLOSED = { state: "closed", ends_at: 100 };

test("a deal of an open day is fresh, begun, done or spoiled", () => {
  const stands = (deal) => dealState(deal, OPEN, 50);
  assert.equal(stands({}), "fresh");
  assert.equal(stands({ your_game: "g", your_status: "playing" }), "begun");
  assert.equal(stands({ your_game: "g", your_status: "stuck" }), "begun");
  assert.equal(stands({ your_game: "g", your_status: "resigned" }), "done");
  assert.equal(stands({ spoiled: true }), "spoiled");
  assert.equal(stands({ your_game: "g", your_status: "playing", spoiled: true }), "spoiled");
});

test("after its end a day's deal can be finished for a while but not begun", () => {
  assert.equal(dealState({}, OPEN, 100), "missed");
  assert.equal(dealState({ your_game: "g", your_status: "playing" }, OPEN, 100), "begun");
});

test("a deal of a future day is sealed, and a deal of a closed day is public", () => {
  assert.equal(dealState({}, { state: "announced", ends_at: 100 }, 0), "sealed");
  assert.equal(dealState({}, { state: "announced", ends_at: 100, shuffling: true }, 0), "shuffling");
  assert.equal(nextDeal([{}], () => "shuffling"), undefined);
  assert.equal(dealState({}, CLOSED, 200), "past");
  assert.equal(dealState({ your_game: "g", your_status: "won" }, CLOSED, 200), "done");
});

test("a deal in progress comes before a deal that is not begun", () => {
  assert.equal(nextDeal(["done", "fresh", "begun"], (stands) => stands), "begun");
  assert.equal(nextDeal(["done", "fresh"], (stands) => stands), "fresh");
  assert.equal(nextDeal(["done"], (stands) => stands), undefined);
});

test("a day has any number of deals, and a streak one day or more", () => {
  assert.deepEqual([1, 3, 12].map(dealsTodayWords), ["One deal today", "Three deals today", "12 deals today"]);
  assert.deepEqual([0, 1, 4].map(streakWords), ["", "1 day in a row", "4 days in a row"]);
});

test("a level that only this host has keeps its name", () => {
  assert.deepEqual(["gentle", "the club's own"].map(levelWords), ["Easy", "The club's own"]);
});
