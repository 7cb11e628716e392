import assert from "node:assert/strict";
import { test } from "node:test";

import { canAutoFinish, nextMoveHome } from "../../../clients/web/js/game/auto_finish.js";
import { parseMove } from "../../../clients/web/js/game/moves.js";

const role = (pile) => ({ f: "foundation", t: "tableau", s: "stock" })[pile[0]];
const OPEN = { "f.0": ["AS", "2S"], "f.1": ["AH", "2H"], "t.0": ["4S", "3H"], "t.1": ["4H", "3S"], stock: [] };
const moves = (piles, ...texts) => texts.map((text) => parseMove(text, (name) => name in piles));
const decided = (changes, ...texts) => {
  const piles = { ...OPEN, ...changes };
  return canAutoFinish(piles, moves(piles, ...(texts.length ? texts : ["t.0/f.1"])), role);
};

test("nothing is left to decide when every card left can go home in turn", () => {
  assert.equal(decided({}), true);
});

test("a card face down or in the stock leaves something to decide", () => {
  assert.equal(decided({ "t.0": ["--", "3H"] }), false);
  assert.equal(decided({ stock: ["4S"], "t.0": ["3H"] }), false);
});

test("a card under one that goes home later leaves something to decide", () => {
  assert.equal(decided({ "t.1": ["3S", "4S"], "t.0": ["4H", "3H"] }), false);
});

test("foundations that go down, or by more than one rank, go on as they have begun", () => {
  assert.equal(decided({ "f.0": ["KS", "QS"], "f.1": ["KH", "QH"], "t.0": ["TS", "JH"], "t.1": ["TH", "JS"] }), true);
  assert.equal(decided({ "f.0": ["QS", "AS"], "f.1": ["QH", "AH"], "t.0": ["5S", "3H"], "t.1": ["5H", "3S"] }), true);
});

test("nothing is offered if foundations differ or none shows how it goes on", () => {
  assert.equal(decided({ "f.1": ["3H", "2H"] }), false);
  assert.equal(decided({ "f.0": ["AS"], "f.1": ["AH"] }), false);
});

test("nothing is offered while no card can go home", () => {
  assert.equal(decided({}, "t.0/t.1"), false);
  assert.equal(nextMoveHome(moves(OPEN, "t.0/t.1"), role), undefined);
});
