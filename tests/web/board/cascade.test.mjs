import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_LEAPERS, leapers } from "../../../clients/web/js/board/cascade.js";

const spots = (count, x) => Array.from({ length: count }, (_, index) => ({ x, y: index }));
const pile = (name, role, count, x) => ({ place: { name, role }, cards: spots(count, x) });

test("the cards on the foundations leap in turn, the lowest first", () => {
  const arranged = [pile("foundation.0", "foundation", 3, 10), pile("foundation.1", "foundation", 2, 20), pile("waste", "waste", 1, 30)];
  const piles = { "foundation.0": ["AS", "2S", "3S"], "foundation.1": ["AH", "2H"], waste: ["KD"] };
  assert.deepEqual(leapers(arranged, piles).map(({ face }) => face), ["AS", "AH", "2S", "2H", "3S"]);
  assert.deepEqual(leapers(arranged, piles)[1], { face: "AH", x: 20, y: 0 });
});

test("where a game has no foundations every card that shows a face leaps", () => {
  const arranged = [pile("stock", "stock", 2, 0), pile("discard", "discard", 2, 5)];
  assert.deepEqual(leapers(arranged, { stock: ["--", "--"], discard: ["KD", "QD"] }).map(({ face }) => face), ["KD", "QD"]);
  assert.deepEqual(leapers(arranged, { stock: ["--", "--"], discard: [] }), []);
});

test("of two packs no more cards leap than of one, the upper ones of every pile", () => {
  const arranged = Array.from({ length: 8 }, (_, index) => pile(`foundation.${index}`, "foundation", 13, index));
  const piles = Object.fromEntries(arranged.map(({ place }) => [place.name, Array(13).fill("AS")]));
  const found = leapers(arranged, piles);
  assert.equal(found.length, 48);
  assert.ok(found.length <= MAX_LEAPERS);
  assert.deepEqual([new Set(found.map(({ x }) => x)).size, Math.min(...found.map(({ y }) => y))], [8, 7]);
});
