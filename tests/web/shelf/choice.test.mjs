/** The shelf of games: search, filters, order, and the address that has them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setLanguage } from "../../../clients/web/js/language/translate.js";
import { chooseGames, EVERYTHING, readChoice, writeChoice } from "../../../clients/web/js/shelf/choice.js";
import "../english.mjs";

const UNPLAYED = { shelf: "book", packs: 2, level: "steady", minutes: 8, played: 0, won: 0, also_known_as: [], summary: "Eight packets." };
const GAMES = [
  { ...UNPLAYED, slug: "klondike", name: "Canfield or Klondike", packs: 1, level: "stern", played: 100, won: 10, summary: "Seven columns, red on black." },
  { ...UNPLAYED, slug: "besieged-city", name: "The Besieged City", level: "stern", minutes: 13, played: 1, won: 1 },
  { ...UNPLAYED, slug: "terrace", name: "Terrace", also_known_as: ["Queen of Italy", "Signora"], played: 50, won: 40 },
  { ...UNPLAYED, slug: "queens", name: "The Queens", level: "gentle", minutes: 11 },
  { ...UNPLAYED, slug: "fortress", name: "Fortress", shelf: "well_known", packs: 1, minutes: 5, summary: "The queen stays in the wall." },
];
const chosen = (choice) => chooseGames(GAMES, { ...EVERYTHING, ...choice });
const slugs = (choice) => chosen(choice).map(({ game }) => game.slug);

function speak(tag) {
  setLanguage(tag, JSON.parse(readFileSync(new URL(`../../../clients/web/languages/${tag}.json`, import.meta.url), "utf8")));
}

test("everything is sorted by name, and an article does not count", () => {
  assert.deepEqual(slugs({}), ["besieged-city", "klondike", "fortress", "queens", "terrace"]);
});

test("each filter keeps what fits, and filters are added up", () => {
  assert.deepEqual(slugs({ shelf: "well_known" }), ["fortress"]);
  assert.deepEqual(slugs({ level: "stern" }), ["besieged-city", "klondike"]);
  assert.deepEqual(slugs({ length: "short" }), ["fortress"]);
  assert.deepEqual(slugs({ length: "middling" }), ["klondike", "terrace"]);
  assert.deepEqual(slugs({ length: "long" }), ["besieged-city", "queens"]);
  assert.deepEqual(slugs({ packs: "1" }), ["klondike", "fortress"]);
  assert.deepEqual(slugs({ packs: "1", level: "stern" }), ["klondike"]);
});

test("each order sorts by its figure, and equal games by name", () => {
  assert.deepEqual(slugs({ order: "easy" }), ["queens", "fortress", "terrace", "besieged-city", "klondike"]);
  assert.deepEqual(slugs({ order: "short" }), ["fortress", "klondike", "terrace", "queens", "besieged-city"]);
  assert.deepEqual(slugs({ order: "played" }).slice(0, 3), ["klondike", "terrace", "besieged-city"]);
});

test("one game won out of one does not pass forty out of fifty, and what nobody has played comes last", () => {
  assert.deepEqual(slugs({ order: "won" }), ["terrace", "besieged-city", "klondike", "fortress", "queens"]);
});

test("a search looks at names, other names and summaries, and names come first", () => {
  assert.deepEqual(slugs({ search: "klondike" }), ["klondike"]);
  assert.deepEqual(slugs({ search: "queen" }), ["queens", "terrace", "fortress"]);
  assert.deepEqual(slugs({ search: "queen", order: "short" }), ["terrace", "queens", "fortress"]);
  assert.deepEqual(slugs({ search: "spider" }), []);
});

test("a game found by another name says which", () => {
  assert.equal(chosen({ search: "signora" })[0].alias, "Signora");
  assert.equal(chosen({ search: "terrace" })[0].alias, null);
});

test("a search passes over capitals, accents, signs and the order of words", () => {
  assert.deepEqual(slugs({ search: "  CITY,  bésieged " }), ["besieged-city"]);
  assert.deepEqual(slugs({ search: "red columns" }), ["klondike"]);
});

test("in every language a game is found by its English name too, in Turkish in capitals as well", () => {
  const fish = [{ ...UNPLAYED, slug: "fish-bone", name: "Balık Kılçığı" }];
  speak("tr");
  try {
    for (const search of ["fish", "FISH-BONE", "balik", "KILÇIĞI"]) {
      assert.equal(chooseGames(fish, { ...EVERYTHING, search }).length, 1, search);
    }
  } finally {
    speak("en");
  }
});

test("an address brings a choice back, and has only what differs from everything", () => {
  const choice = { search: "two rings", shelf: "book", level: "gentle", length: "long", packs: "2", order: "won" };
  assert.deepEqual(readChoice(writeChoice(choice)), choice);
  assert.equal(writeChoice(EVERYTHING), "");
  assert.equal(writeChoice({ ...EVERYTHING, search: "  ", level: "stern" }), "?level=stern");
  assert.deepEqual(readChoice(""), EVERYTHING);
});

test("what an address asks for and the shelf does not know is passed over", () => {
  assert.deepEqual(readChoice("?level=brutal&length=eternal&packs=many&order=colour&other=1"), EVERYTHING);
});
