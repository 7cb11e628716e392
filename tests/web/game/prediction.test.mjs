import assert from "node:assert/strict";
import { test } from "node:test";

import { predictPiles, likelyMoves } from "../../../clients/web/js/game/prediction.js";
import { parseMove } from "../../../clients/web/js/game/moves.js";

const PILES = { stock: ["--", "--"], waste: ["7H"], "t.0": ["--", "8S"], "t.1": ["9D"], discard: [] };
const CONTEXT = { liesDown: (pile) => pile === "stock", discard: "discard", verbs: new Map([["deal", ["moved stock waste 1"]]]) };
const read = (text) => parseMove(text, (name) => name in PILES);
const play = (...texts) => texts.map((text) => ({ kind: "play", move: read(text), shown: true }));
const after = (commands, past = [], context = CONTEXT) => predictPiles(PILES, commands, past, context);

test("the prediction of transfers moves the cards, one transfer after the other", () => {
  const piles = after(play("waste/t.0", "t.0/t.1/2"));
  assert.deepEqual([piles.waste, piles["t.0"], piles["t.1"]], [[], ["--"], ["9D", "8S", "7H"]]);
});

test("the prediction of an exchange exchanges two cards", () => {
  const piles = after(play("waste~t.1"));
  assert.deepEqual([piles.waste, piles["t.1"]], [["9D"], ["7H"]]);
});

test("cards removed together are predicted on the discard pile, if there is exactly one", () => {
  assert.deepEqual(after(play("waste+t.1")).discard, ["7H", "9D"]);
  assert.equal(after(play("waste+t.1"), [], { ...CONTEXT, discard: null }), PILES);
});

test("the prediction of a verb does what it did last time, with unknown cards face down", () => {
  assert.deepEqual(after(play("deal", "deal")).waste, ["7H", "--", "--"]);
  assert.equal(after(play("redeal")), PILES);
});

test("an impossible move is not predicted", () => {
  assert.equal(after(play("discard/t.0")), PILES);
});

test("a move that is probably illegal is not predicted", () => {
  assert.equal(after([{ kind: "play", move: read("waste/t.0"), shown: false }]), PILES);
});

test("taking back leads to the position before, after queued moves too", () => {
  const earlier = { ...PILES, waste: [] };
  assert.equal(after([{ kind: "take_back", shown: true }], [earlier]), earlier);
  assert.equal(after([...play("waste/t.0"), { kind: "take_back", shown: true }], [earlier]), PILES);
  assert.equal(after([{ kind: "take_back", shown: false }], [earlier]), PILES);
});

test("moves between unchanged piles are probably still legal", () => {
  const moves = ["waste/t.0", "t.1/discard", "deal"].map(read);
  const now = after(play("waste/t.0"));
  assert.deepEqual(likelyMoves(moves, PILES, now).map(({ text }) => text), ["t.1/discard", "deal"]);
});
