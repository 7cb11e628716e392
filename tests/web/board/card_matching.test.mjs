import assert from "node:assert/strict";
import { test } from "node:test";

import { drawnCards, matchCards, sameLength } from "../../../clients/web/js/board/card_matching.js";

const PLACES = [{ name: "stock" }, { name: "waste" }, { name: "foundation" }, { name: "t.0", spread: "down" }, { name: "t.1", spread: "down" }];
const empty = { stock: [], waste: [], foundation: [], "t.0": [], "t.1": [] };

/** Where each drawn card came from: "pile/index" now to "pile/index" before, or "new". */
function origins(before, after) {
  const [old, now] = [{ ...empty, ...before }, { ...empty, ...after }];
  const [was, is] = [drawnCards(PLACES, old), drawnCards(PLACES, now)];
  const words = ({ pile, index }) => `${pile}/${index}`;
  return Object.fromEntries(matchCards(was, is, old, now).map((origin, index) =>
    [words(is[index]), origin < 0 ? "new" : words(was[origin])]));
}

test("a card is pending from the first one of its pile that the server has not there", () => {
  assert.equal(sameLength(["KS", "QH", "JC"], ["KS", "QH"]), 2);
  assert.equal(sameLength(["KS", "QH"], ["KS", "9D", "QH"]), 1);
  assert.equal(sameLength(["KS", "QH"], ["KS", "QH", "JC"]), 2);
  assert.equal(sameLength(["KS"]), 0);
});

test("of a pile that does not spread the two top cards are drawn", () => {
  assert.deepEqual(drawnCards(PLACES, { ...empty, waste: ["2S", "3S", "4S"] }).map(({ face }) => face), ["3S", "4S"]);
});

test("a card that moved is the card that glides", () => {
  assert.equal(origins({ waste: ["7H"], "t.0": ["8S"] }, { "t.0": ["8S", "7H"] })["t.0/1"], "waste/0");
});

test("of two equal cards the one that left its pile glides", () => {
  const found = origins({ "t.0": ["7H"], "t.1": ["7H", "8S"], waste: ["7H"] }, { "t.0": ["7H"], "t.1": ["7H", "8S", "7H"] });
  assert.equal(found["t.1/2"], "waste/0");
});

test("a card turned over stays where it is", () => {
  assert.equal(origins({ "t.0": ["--", "7H"] }, { "t.0": ["QS"], foundation: ["7H"] })["t.0/0"], "t.0/0");
});

test("a card turned from the stock comes from the stock", () => {
  assert.equal(origins({ stock: ["--", "--", "--"] }, { stock: ["--", "--"], waste: ["4D"] })["waste/0"], "stock/2");
});

test("a card that was covered and shows again does not glide", () => {
  assert.equal(origins({ waste: ["2S", "3S", "4S"] }, { waste: ["2S", "3S"], foundation: ["4S"] })["waste/0"], "new");
});

test("at a redeal the waste's cards go back to the stock", () => {
  const found = origins({ waste: ["2S", "3S"] }, { stock: ["--", "--"] });
  assert.deepEqual(Object.values(found).sort(), ["waste/0", "waste/1"]);
});
