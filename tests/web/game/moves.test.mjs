import assert from "node:assert/strict";
import { test } from "node:test";

import { bestMove, jointMove, liftCount, parseMove, targets, transferBetween } from "../../../clients/web/js/game/moves.js";

const PILES = new Set(["waste", "stock", "tableau.0", "tableau.1", "tableau.2", "foundation.0", "navy.3", "race.0", "race.7"]);
const isPile = (name) => PILES.has(name);
const read = (...texts) => texts.map((text) => parseMove(text, isPile));
const role = (pile) => pile.split(".")[0];

test("a transfer without a number moves one card", () => {
  assert.deepEqual(parseMove("waste/tableau.0", isPile), {
    kind: "transfer", text: "waste/tableau.0", from: "waste", to: "tableau.0", count: 1,
  });
});

test("a transfer with a number moves that many cards", () => {
  assert.equal(parseMove("tableau.0/tableau.1/13", isPile).count, 13);
});

test("a move that does not name two piles is a verb", () => {
  for (const text of ["deal", "redeal", "choose/hearts", "play/navy.3"]) assert.equal(parseMove(text, isPile).kind, "verb");
});

test("moves that join piles are parsed, and exchanges too", () => {
  assert.deepEqual(parseMove("tableau.0+tableau.1", isPile).piles, ["tableau.0", "tableau.1"]);
  assert.equal(parseMove("race.0~race.7", isPile).kind, "exchange");
});

test("the targets are where this number of cards may go", () => {
  const moves = read("tableau.0/tableau.1/3", "tableau.0/foundation.0", "waste/tableau.2");
  assert.deepEqual([...targets(moves, ["tableau.0"], 3).keys()], ["tableau.1"]);
  assert.deepEqual([...targets(moves, ["tableau.0"], 1).keys()], ["foundation.0"]);
});

test("the targets of picked piles are the piles that some move joins with all of them", () => {
  const moves = read("tableau.0+tableau.1+tableau.2", "tableau.0+waste");
  assert.deepEqual([...targets(moves, ["tableau.0"], 1).keys()], ["tableau.1", "tableau.2", "waste"]);
  assert.deepEqual([...targets(moves, ["tableau.0", "tableau.1"], 1).keys()], ["tableau.2"]);
});

test("lifting takes as many cards as some move takes", () => {
  const moves = read("tableau.0/tableau.1/3", "tableau.0/foundation.0");
  assert.equal(liftCount(moves, "tableau.0", 1), 1);
  assert.equal(liftCount(moves, "tableau.0", 2), 3);
  assert.equal(liftCount(moves, "tableau.0", 5), 3);
  assert.equal(liftCount(moves, "tableau.2", 2), 2);
});

test("a transfer between two piles prefers the number of cards in hand", () => {
  const moves = read("tableau.0/tableau.1", "tableau.0/tableau.1/2", "tableau.0/tableau.1/4");
  assert.equal(transferBetween(moves, "tableau.0", "tableau.1", 2).count, 2);
  assert.equal(transferBetween(moves, "tableau.0", "tableau.1", 3).count, 4);
});

test("the order of picking decides between moves of the same piles", () => {
  const moves = read("tableau.0+tableau.1+tableau.2", "tableau.1+tableau.0+tableau.2");
  assert.equal(jointMove(moves, ["tableau.1", "tableau.0", "tableau.2"]).text, "tableau.1+tableau.0+tableau.2");
  assert.equal(jointMove(moves, ["tableau.0", "tableau.1"]), undefined);
});

test("the best move goes to a foundation first", () => {
  const moves = read("waste/tableau.0", "waste/foundation.0");
  assert.equal(bestMove(moves, "waste", 1, role, () => 1).text, "waste/foundation.0");
});

test("the best move prefers a pile with cards to an empty one", () => {
  const sizes = { "tableau.0": 0, "tableau.1": 4 };
  const moves = read("waste/tableau.0", "waste/tableau.1");
  assert.equal(bestMove(moves, "waste", 1, role, (pile) => sizes[pile]).text, "waste/tableau.1");
});

test("there is no best move if several pairs are possible", () => {
  const moves = read("tableau.0+tableau.1", "tableau.0+tableau.2");
  assert.equal(bestMove(moves, "tableau.0", 1, role, () => 1), undefined);
});
