import assert from "node:assert/strict";
import { test } from "node:test";

import { predictPiles, likelyMoves } from "../../../clients/web/js/game/prediction.js";
import { parseMove } from "../../../clients/web/js/game/moves.js";

const PILES = { stock: ["--", "--"], waste: ["7H"], "t.0": ["--", "8S"], "t.1": ["9D"], discard: [] };
const HABITS = { liesDown: (pile) => pile === "stock", discard: "discard", verbs: new Map([["deal", ["moved stock waste 1"]]]) };
const read = (text) => parseMove(text, (name) => name in PILES);
const play = (...texts) => texts.map((text) => ({ kind: "play", move: read(text), shown: true }));
const after = (wishes, past = [], habits = HABITS) => predictPiles(PILES, wishes, past, habits);

test("what is foreseen of transfers are the cards carried over, one after the other", () => {
  const piles = after(play("waste/t.0", "t.0/t.1/2"));
  assert.deepEqual([piles.waste, piles["t.0"], piles["t.1"]], [[], ["--"], ["9D", "8S", "7H"]]);
});

test("what is foreseen of an exchange are two cards that changed places", () => {
  const piles = after(play("waste~t.1"));
  assert.deepEqual([piles.waste, piles["t.1"]], [["9D"], ["7H"]]);
});

test("cards taken off together are foreseen where all such cards go, if there is one place", () => {
  assert.deepEqual(after(play("waste+t.1")).discard, ["7H", "9D"]);
  assert.equal(after(play("waste+t.1"), [], { ...HABITS, discard: null }), PILES);
});

test("a verb is foreseen to do what it did last, its cards face down", () => {
  assert.deepEqual(after(play("deal", "deal")).waste, ["7H", "--", "--"]);
  assert.equal(after(play("redeal")), PILES);
});

test("a move that cannot be carried out is not foreseen", () => {
  assert.equal(after(play("discard/t.0")), PILES);
});

test("what is not likely to be legal is not foreseen", () => {
  assert.equal(after([{ kind: "play", move: read("waste/t.0"), shown: false }]), PILES);
});

test("a take-back leads to the position before, of wishes too", () => {
  const earlier = { ...PILES, waste: [] };
  assert.equal(after([{ kind: "take_back" }], [earlier]), earlier);
  assert.equal(after([...play("waste/t.0"), { kind: "take_back" }], [earlier]), PILES);
});

test("moves on piles that nothing has changed are likely to be legal still", () => {
  const moves = ["waste/t.0", "t.1/discard", "deal"].map(read);
  const now = after(play("waste/t.0"));
  assert.deepEqual(likelyMoves(moves, PILES, now).map(({ text }) => text), ["t.1/discard", "deal"]);
});
