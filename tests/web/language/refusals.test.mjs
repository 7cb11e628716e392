import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { setLanguage } from "../../../clients/web/js/language/translate.js";
import { refusalWords } from "../../../clients/web/js/language/refusals.js";
import "../english.mjs";

const piles = ["tableau.0", "tableau.1", "stock"];
const german = {
  words: {
    refusals: {
      "{card} does not go on {card2} in {pile}": "auf {card2} in {pile} passt {card} nicht",
      "no {verb} now: {why}": "{verb} geht jetzt nicht: {why}",
      "a place is vacant": "ein Platz ist frei",
      "At most {count} bots.": { one: "Höchstens ein Bot.", other: "Höchstens {count} Bots." },
    },
    cards: { of_suit: "{suit} {rank}", rank_T: "Zehn", rank_2: "Zwei", suit_C: "Kreuz", suit_S: "Pik" },
    piles: { tableau: "Reihe", numbered: "{pile} {number}" },
    moves: { verb_deal: "Geben" },
  },
};
const text = "{card} does not go on {card2} in {pile}";

beforeEach(() => setLanguage("de", german));

test("a refusal is translated, with its cards and piles in words", () => {
  const said = { text, values: { card: "2C", card2: "TS", pile: "tableau.1" } };
  assert.equal(refusalWords({ message: "…", said }, piles), "Auf Pik Zehn in Reihe 2 passt Kreuz Zwei nicht");
});

test("a value that only looks like a card stays as it is", () => {
  assert.equal(refusalWords({ message: "…", said: { text: "You already are {name}.", values: { name: "TS" } } }), "You already are TS.");
});

test("a reason inside a refusal is translated too", () => {
  const said = { text: "no {verb} now: {why}", values: { verb: "deal", why: { text: "a place is vacant" } } };
  assert.equal(refusalWords({ message: "…", said }, piles), "Geben geht jetzt nicht: ein Platz ist frei");
});

test('the value "count" chooses the plural form', () => {
  assert.equal(refusalWords({ message: "…", said: { text: "At most {count} bots.", values: { count: 1 } } }), "Höchstens ein Bot.");
});

test("moves are put in words with the game's piles", () => {
  const said = { text: "first one of {moves}", values: { moves: "deal, tableau.0/stock" } };
  setLanguage("de", { words: { ...german.words, moves: { verb_deal: "Geben", transfer: "{from} nach {to}" } } });
  assert.equal(refusalWords({ message: "…", said }, piles), "First one of Geben, Reihe 1 nach stock");
});

test("several piles are each put in words", () => {
  const said = { text: "cards are left in {piles}", values: { piles: "tableau, tableau.1" } };
  assert.equal(refusalWords({ message: "…", said }, piles), "Cards are left in Reihe, Reihe 2");
});

test("a refusal without values is translated by its English sentence", () => {
  assert.equal(refusalWords({ message: "a place is vacant" }), "Ein Platz ist frei");
});

test("a refusal without a translation keeps its English sentence", () => {
  assert.equal(refusalWords({ message: "2C does not go there" }, piles), "Kreuz Zwei does not go there");
});
