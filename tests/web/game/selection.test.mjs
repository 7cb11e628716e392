import assert from "node:assert/strict";
import { test } from "node:test";

import { parseMove } from "../../../clients/web/js/game/moves.js";
import { drop, EMPTY_HAND, lift, tap } from "../../../clients/web/js/game/selection.js";

const CARDS = { stock: ["--", "--"], waste: ["7H"], "grid.0": ["4S"], "grid.1": ["TD"], "grid.2": ["2C"], "grid.3": ["--"], "grid.4": [] };
const position = (...texts) => ({
  moves: texts.map((text) => parseMove(text, (name) => name in CARDS)),
  cards: (pile) => CARDS[pile],
});
const on = (pile, depth = 1) => ({ pile, depth, role: pile === "stock" ? "stock" : "reserve" });
const holding = (...picked) => ({ picked, count: 1 });

test("tapping the stock deals", () => {
  assert.equal(tap(EMPTY_HAND, on("stock"), position("deal", "waste/grid.0")).play, "deal");
});

test("tapping the stock redeals when there is nothing to deal", () => {
  assert.equal(tap(EMPTY_HAND, on("stock"), position("redeal")).play, "redeal");
});

test("a stock whose card may be moved is picked first and deals when tapped again", () => {
  const both = position("deal", "stock/grid.4");
  assert.deepEqual(tap(EMPTY_HAND, on("stock"), both).hand.picked, ["stock"]);
  assert.equal(tap(holding("stock"), on("stock"), both).play, "deal");
});

test("a tap picks a card and a second one plays it", () => {
  const here = position("waste/grid.0");
  const { hand } = tap(EMPTY_HAND, on("waste"), here);
  assert.deepEqual(hand, holding("waste"));
  assert.deepEqual(tap(hand, on("grid.0"), here), { hand: EMPTY_HAND, play: "waste/grid.0" });
});

test("tapping the same pile again empties the hand", () => {
  assert.deepEqual(tap(holding("waste"), on("waste"), position("waste/grid.0")).hand, EMPTY_HAND);
});

test("two taps make a pair in either order", () => {
  const here = position("grid.0+grid.1");
  assert.equal(tap(holding("grid.1"), on("grid.0"), here).play, "grid.0+grid.1");
});

test("two taps make an exchange", () => {
  assert.equal(tap(holding("grid.0"), on("grid.1"), position("grid.0~grid.1")).play, "grid.0~grid.1");
});

test("piles are added while some legal move contains them all", () => {
  const here = position("grid.0+grid.1+grid.2");
  const { hand } = tap(holding("grid.0"), on("grid.1"), here);
  assert.deepEqual(hand.picked, ["grid.0", "grid.1"]);
  assert.equal(tap(hand, on("grid.2"), here).play, "grid.0+grid.1+grid.2");
});

test("a pile that fits nothing but can move is picked instead", () => {
  assert.deepEqual(tap(holding("waste"), on("grid.1"), position("grid.1/grid.4", "waste/grid.0")).hand.picked, ["grid.1"]);
});

test("an illegal move is named so that the server can say why it is illegal", () => {
  assert.equal(tap(holding("waste"), on("grid.4"), position("waste/grid.0")).attempt, "waste/grid.4");
});

test("a face-down card that cannot move is not picked", () => {
  assert.deepEqual(tap(EMPTY_HAND, on("grid.3"), position()).hand, EMPTY_HAND);
});

test("one tap plays the only possible move, if the setting says so", () => {
  const quick = (...texts) => ({ ...position(...texts), oneTap: true });
  assert.equal(tap(EMPTY_HAND, on("waste"), quick("waste/grid.0", "grid.1/grid.4")).play, "waste/grid.0");
  assert.equal(tap(EMPTY_HAND, on("grid.1"), quick("grid.0+grid.1")).play, "grid.0+grid.1");
  assert.equal(tap(EMPTY_HAND, on("waste"), quick("waste/grid.0", "waste/grid.1")).play, undefined);
  assert.equal(tap(EMPTY_HAND, on("waste"), position("waste/grid.0")).play, undefined);
});

test("a tap on a pile plays the verb that names it, if nothing else is possible there", () => {
  const here = { ...position("slip/grid.1"), oneTap: true };
  assert.equal(tap(EMPTY_HAND, on("grid.1"), here).play, "slip/grid.1");
});

test("if a tap may mean two moves, the player is asked which", () => {
  const here = position("grid.0/grid.1", "grid.0+grid.1");
  assert.deepEqual(tap(holding("grid.0"), on("grid.1"), here).choose, ["grid.0+grid.1", "grid.0/grid.1"]);
  assert.deepEqual(drop(holding("grid.0"), "grid.1", here.moves).choose, ["grid.0+grid.1", "grid.0/grid.1"]);
});

test("one of several picked cards can be carried while the others stay picked", () => {
  const here = position("grid.0+grid.1+grid.2");
  const hand = holding("grid.0", "grid.1");
  assert.deepEqual(lift(hand, "grid.1", 1, here), hand);
  assert.equal(drop(hand, "grid.2", here.moves).play, "grid.0+grid.1+grid.2");
  assert.deepEqual(drop(hand, "waste", here.moves).hand, hand);
  assert.deepEqual(drop(hand, null, here.moves).hand, EMPTY_HAND);
});

test("a fitting card carried to the picked ones completes them", () => {
  const here = position("grid.0+grid.1+grid.2");
  const hand = lift(holding("grid.0", "grid.1"), "grid.2", 1, here);
  assert.deepEqual(hand.picked, ["grid.0", "grid.1", "grid.2"]);
  assert.equal(drop(hand, "grid.0", here.moves).play, "grid.0+grid.1+grid.2");
});

test("an illegal drop is named so that the server can say why it is illegal", () => {
  assert.equal(drop(holding("waste"), "grid.4", position("waste/grid.0").moves).attempt, "waste/grid.4");
});
