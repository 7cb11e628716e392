import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { moveAnnouncement, choiceWords, handAnnouncement, pileAnnouncement } from "../../../clients/web/js/language/announcements.js";
import { parseMove } from "../../../clients/web/js/game/moves.js";

const PILES = { stock: ["--", "--", "--", "--"], waste: ["7H"], "tableau.0": ["--", "QC"], "tableau.1": ["8S"], "foundation.0": [] };
const role = (pile) => pile.split(".")[0];
const told = (effects, changes) => moveAnnouncement(PILES, effects, { ...PILES, ...changes }, role);
const read = (...texts) => texts.map((text) => parseMove(text, (name) => name in PILES));

test("a move is announced by the card that moves and the card it uncovers", () => {
  assert.equal(
    told(["moved tableau.0 foundation.0 1", "turned tableau.0 0 up"], { "tableau.0": ["2D"], "foundation.0": ["QC"] }),
    "Queen of clubs to foundation 1. Column 1 shows two of diamonds.",
  );
});

test("many cards from one pile are counted, and so are the cards left in the stock", () => {
  assert.equal(
    told(["moved stock waste 1", "moved stock tableau.0 1", "moved stock tableau.1 1"],
      { stock: ["--"], waste: ["7H", "2S"], "tableau.0": ["--", "QC", "3S"], "tableau.1": ["8S", "4S"] }),
    "3 cards dealt from stock. Stock: 1 card left.",
  );
});

test("a move without known effects is not announced", () => {
  assert.equal(told(["juggled waste"], {}), "");
});

test("a pile is described by its role, its cards from the top, and where they can go", () => {
  assert.equal(
    pileAnnouncement("waste", ["2S", "7H"], "waste", read("waste/tableau.1", "waste/foundation.0")),
    "Waste, top card seven of hearts, 1 more face up. From the top: seven of hearts, two of spades. "
    + "Its cards can go to: column 2, foundation 1.",
  );
  assert.match(pileAnnouncement("tableau.1", ["8S"], "tableau", read("deal")), /have no place to go now/);
});

test("cards in hand are described with the places where they can go", () => {
  assert.equal(handAnnouncement({ picked: ["waste"], count: 1 }, PILES, read("waste/tableau.1")), "Picked up: seven of hearts. Can go to column 2.");
});

test("while cards are picked together, the missing ones are named", () => {
  const moves = read("waste+tableau.0+tableau.1");
  assert.equal(
    handAnnouncement({ picked: ["waste"], count: 1 }, PILES, moves),
    "Picked up: seven of hearts. 2 more cards; these fit: queen of clubs, eight of spades.",
  );
  assert.equal(
    handAnnouncement({ picked: ["waste", "tableau.0"], count: 1 }, PILES, moves), "Picked up: seven of hearts, queen of clubs. One more card: eight of spades.",
  );
});

test("two possible moves are told apart by their cards", () => {
  assert.deepEqual(read("tableau.0+tableau.1", "tableau.0/tableau.1", "waste/foundation.0").map((move) => choiceWords(move, PILES)), [
    "Play queen of clubs with eight of spades", "Put queen of clubs on eight of spades", "Put seven of hearts on foundation 1",
  ]);
});
