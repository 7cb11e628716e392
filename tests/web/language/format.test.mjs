import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { cardWords, describePile, nameAsIn, pileWords } from "../../../clients/web/js/language/card_words.js";
import { expandPile } from "../../../clients/web/js/game/cards.js";
import { parseMove } from "../../../clients/web/js/game/moves.js";
import { findPage } from "../../../clients/web/js/router.js";
import { durationWords, moveWithCards, moveWords, rankWords, scorePercent, scoreWords, spellOutCodes, stepWords, verbWords } from "../../../clients/web/js/language/format.js";

test("a number in a pile stands for that many face-down cards", () => {
  assert.deepEqual(expandPile([2, "7H"]), ["--", "--", "7H"]);
});

test("cards and piles have words, and piles are numbered from one", () => {
  assert.equal(cardWords("TH"), "ten of hearts");
  assert.equal(pileWords("tableau.2"), "column 3");
  assert.equal(pileWords("waste"), "waste");
});

test("a pile is described by its top card and the cards under it", () => {
  assert.equal(describePile("tableau.2", ["--", "--", "8S", "7H"]), "column 3, top card seven of hearts, 1 more face up, 2 face down");
  assert.equal(describePile("stock", ["--", "--"]), "stock, 2 cards face down");
  assert.equal(describePile("waste", []), "waste, empty");
});

test("codes in the server's sentences become words", () => {
  assert.equal(
    spellOutCodes("2C does not go on TS in tableau.2", ["tableau.2"]),
    "Two of clubs does not go on ten of spades in column 3",
  );
});

test("a score stands beside its maximum, and a gauge is filled by its share of it", () => {
  assert.equal(scoreWords(81, 104), "81 of 104");
  assert.equal(scoreWords(81), "81");
  assert.deepEqual([[52, 104], [52, 52], [-5, 208], [3, 0]].map(([score, maximum]) => scorePercent(score, maximum)), [50, 100, 0, 100]);
});

test("verbs have words for buttons", () => {
  assert.deepEqual(["deal", "play/navy.3", "turn-over/navy.3"].map(verbWords), ["Deal", "Play navy 4", "Turn over navy 4"]);
});

test("piles are called what the page of their game calls them", () => {
  nameAsIn("la-belle-lucie");
  assert.equal(pileWords("tableau.2"), "fan 3");
  assert.equal(pileWords("foundation.0"), "foundation 1");
  nameAsIn("klondike");
  assert.equal(pileWords("tableau.2"), "column 3");
});

test("moves are put in words with their piles", () => {
  const said = (text) => moveWords(parseMove(text, (name) => name.includes(".")));
  assert.deepEqual(
    ["tableau.0/tableau.2/3", "tableau.0/foundation.1", "grid.0+grid.3", "race.0~race.7"].map(said),
    ["3 cards, column 1 to column 3", "column 1 to foundation 2", "grid 1 with grid 4", "race 1 for race 8"],
  );
});

test("a move is told with the cards that it plays", () => {
  const piles = { "tableau.0": ["--", "8S", "7H"], "navy.3": ["QS"], "grid.0": ["KD"], "grid.3": ["AC"] };
  const said = (text) => moveWithCards(parseMove(text, (name) => name.includes(".")), piles);
  assert.deepEqual(["tableau.0/tableau.2/2", "grid.0+grid.3", "play/navy.3", "deal"].map(said), [
    "eight of spades: 2 cards, column 1 to column 3", "king of diamonds, ace of clubs: grid 1 with grid 4",
    "Play navy 4: queen of spades", "Deal",
  ]);
});

test("a verb in a replay names the cards that it turned up, unless they are many", () => {
  const read = (text) => parseMove(text, () => false);
  const deal = (shown) => stepWords({
    kind: "move", move: read("deal"), effects: [`moved stock waste ${shown.length}`], at: 0,
    before: { stock: Array(9).fill("--"), waste: ["2C"] }, session: { piles: { stock: Array(9 - shown.length).fill("--"), waste: ["2C", ...shown] } },
  });
  assert.equal(deal(["QS"]), "Deal: queen of spades");
  assert.equal(deal(["QS", "3D", "4D"]), "Deal: queen of spades, three of diamonds, four of diamonds");
  assert.equal(deal(["QS", "3D", "4D", "5D"]), "Deal");
});

test("durations have hours only when they need them", () => {
  assert.deepEqual([0, 65000, 3729000].map(durationWords), ["0:00", "1:05", "1:02:09"]);
});

test("ranks are written as ordinals", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 22].map(rankWords), ["1st", "2nd", "3rd", "4th", "11th", "22nd"]);
});

test("each address has its page", () => {
  assert.equal(findPage("/").name, "home");
  assert.deepEqual(findPage("/play/abc").parameters, { game: "abc" });
  assert.equal(findPage("/games/red-and-black").name, "rules");
  assert.equal(findPage("/nowhere").name, "missing");
  assert.equal(findPage("/calendar/2026-12").name, "calendar");
  for (const month of ["2026-13", "9999-12", "0001-01"]) assert.equal(findPage(`/calendar/${month}`).name, "missing");
  assert.deepEqual(findPage("/join/a%20b").parameters, { token: "a b" });
  assert.equal(findPage("/join/a%b").name, "missing");
});

test("a pile or a verb without a word is shown by its own name, which is English", () => {
  assert.equal(pileWords("apple-trees.2"), "apple trees 3");
  assert.equal(verbWords("shake/apple-trees.2"), "Shake apple trees 3");
});
