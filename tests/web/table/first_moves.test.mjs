/** The tips for somebody's first moves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMove } from "../../../clients/web/js/game/moves.js";
import { lessonOf, nextTip } from "../../../clients/web/js/table/first_moves.js";

const PILES = ["stock", "waste", "tableau.0", "tableau.1", "foundation.0"];
const role = (pile) => pile.split(".")[0];
const read = (text) => parseMove(text, (name) => PILES.includes(name));
const nothing = () => false;

test("a move up is the first lesson, then one onto a card, then the stock", () => {
  const moves = ["deal", "tableau.0/tableau.1", "tableau.1/foundation.0"].map(read);
  assert.equal(nextTip(moves, role, nothing).move.text, "tableau.1/foundation.0");
  assert.equal(nextTip(moves, role, (lesson) => lesson === "first.home").move.text, "tableau.0/tableau.1");
  assert.equal(nextTip(moves.slice(0, 1), role, nothing).move.text, "deal");
});

test("what was learned is not shown again, and without a move to show there is no tip", () => {
  assert.equal(nextTip([read("deal")], role, () => true), null);
  assert.equal(nextTip([], role, nothing), null);
});

test("a card from the stock is a lesson of the stock, and other verbs teach nothing", () => {
  assert.equal(lessonOf(read("stock/tableau.0"), role), "first.stock");
  assert.equal(lessonOf(read("redeal"), role), "first.stock");
  assert.equal(lessonOf(read("grace"), role), null);
});

test("cards that go together are a lesson of their own, and cards that change places another", () => {
  const moves = ["deal", "tableau.0~tableau.1", "tableau.0+tableau.1"].map(read);
  assert.equal(nextTip(moves, role, nothing).move.text, "tableau.0+tableau.1");
  assert.equal(nextTip(moves, role, (lesson) => lesson === "first.gather").move.text, "tableau.0~tableau.1");
});
