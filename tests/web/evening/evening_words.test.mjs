import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "../english.mjs";
import { bandWords, findNextEvening, nextMoment, reasonWords, shareOrigin, shareWords, stateWords } from "../../../clients/web/js/evening/evening_words.js";
import { setLanguage } from "../../../clients/web/js/language/translate.js";

const MINUTE = 60_000;
const rounds = [{ opens_at: 0, closes_at: 10 * MINUTE }, { opens_at: 11 * MINUTE, closes_at: 21 * MINUTE }];
const evening = (state, round, more = {}) => ({ state, round, rounds, final_at: 51 * MINUTE, ...more });

test("the next moment is the close of the open round, the opening of the next one, or when the standing is final", () => {
  assert.equal(nextMoment(evening("round", 1)), 10 * MINUTE);
  assert.equal(nextMoment(evening("pause", 2)), 11 * MINUTE);
  assert.equal(nextMoment(evening("entry", 1)), 0);
  assert.equal(nextMoment(evening("provisional")), 51 * MINUTE);
  assert.equal(nextMoment(evening("final")), null);
});

test("after an evening its screen goes on to one of the same group that is on, or begins within a quarter of an hour", () => {
  const shown = { id: "a", group: "g" };
  const card = (id, state, startsAt = 0, group = "g") => ({ id, state, group, starts_at: startsAt });
  const find = (...cards) => findNextEvening(shown, cards, 0)?.id;
  assert.equal(find(card("a", "on"), card("b", "on", 0, "h"), card("c", "over"), card("d", "coming", 15 * MINUTE)), "d");
  assert.equal(find(card("b", "on"), card("c", "coming")), "b");
  assert.equal(find(card("d", "coming", 16 * MINUTE)), undefined);
  assert.equal(findNextEvening({ id: "a" }, [card("b", "on"), { id: "e", state: "on", starts_at: 0 }], 0)?.id, "e");
});

test("what is going on is said with the time that is left", () => {
  assert.equal(stateWords(evening("round", 1), 2 * MINUTE + 29_000), "Round 1 of 2: 7:31 left");
  assert.equal(stateWords(evening("pause", 2), 10 * MINUTE + 30_000), "Round 2 of 2 begins in 0:30");
  assert.equal(stateWords(evening("round", 1), 11 * MINUTE), "Round 1 of 2: 0:00 left");
  assert.equal(stateWords(evening("void", undefined, { void: "rules" }), 0), "This evening counts for nobody: too few deals were played");
});

test("above the table of a round that is over stands which one comes, or is open now", () => {
  assert.equal(bandWords(evening("round", 1), 1, 9 * MINUTE), "Round 1: 1:00 left");
  assert.equal(bandWords(evening("round", 1), 1, 10 * MINUTE), "Round 1 is over");
  assert.equal(bandWords(evening("pause", 2), 1, 10 * MINUTE + 30_000), "Round 2 of 2 begins in 0:30");
  assert.equal(bandWords(evening("round", 2), 1, 12 * MINUTE), "Round 2 of 2: 9:00 left");
});

test("an arena is one period from its opening to its close", () => {
  const arena = { opens_at: 0, closes_at: 60 * MINUTE, deals: 120, games: ["klondike"] };
  const of = (state) => ({ ...evening(state), rounds: [], arena });
  assert.equal(nextMoment(of("entry")), 0);
  assert.equal(nextMoment(of("round")), 60 * MINUTE);
  assert.equal(stateWords(of("entry"), -30_000), "The arena begins in 0:30");
  assert.equal(stateWords(of("round"), 59 * MINUTE), "Arena: 1:00 left");
  assert.equal(stateWords(of("provisional"), 50 * MINUTE), "The arena is over. The standing is final in 1:00.");
});

test("a share is shown as it came about", () => {
  const share = { round: 1, how: "played", value: "17/18", shown: "94.44", matchpoints: 4, n: 3 };
  assert.equal(shareWords(share), "94.44");
  assert.match(shareOrigin({ ...share, matchpoints: 1, n: 2 }), /^1 of 2 points against 1 other:/);
  assert.equal(shareOrigin({ ...share, shown: "100.00" }), "4 of 4 points against 2 others: 2 for each that was beaten, 1 for each that was equal");
  assert.equal(shareWords({ ...share, how: "adjusted", shown: "60.00" }), "(60.00)");
  assert.equal(shareWords({ ...share, how: "not_opened" }), "–");
  assert.equal(shareWords(undefined), "");
});

test("a share that is not its points says why", () => {
  const share = { round: 1, how: "played", value: "7/8", shown: "87.50", matchpoints: 2, n: 2 };
  assert.match(shareOrigin(share), /^2 of 2 points .* equal\. Another deal was played by more people, so this share is closer to 50 %\.$/);
  assert.doesNotMatch(shareOrigin({ ...share, shown: "33.33", matchpoints: 2, n: 4 }), /50 %/);
});

test("a provisional standing waits for every objection", () => {
  const waiting = (answer) => evening("provisional", null, { objections: [{ round: 1, answer: "upheld" }, { round: 2, answer }] });
  assert.equal(stateWords(waiting(undefined), 50 * MINUTE), "All rounds are over. The standing is final when every objection has its answer, in 1:00 at the latest.");
  assert.equal(stateWords(waiting("dismissed"), 50 * MINUTE), "All rounds are over. The standing is final in 1:00.");
});

test("a row says what separates it from the row above it, unless it is its total", () => {
  assert.equal(reasonWords({ reason: "head_to_head", head_to_head: 7 }), "same share; 7 points against the others with it");
  assert.equal(reasonWords({ reason: "tops", tops: 1 }), "same share; best on 1 deal");
  assert.equal(reasonWords({ reason: "shared" }), "shared");
  assert.equal(reasonWords({}), "");
});

test("a share is written as the language of the reader writes numbers", () => {
  const page = (tag) => JSON.parse(readFileSync(new URL(`../../../clients/web/languages/${tag}.json`, import.meta.url), "utf8"));
  setLanguage("hu", page("hu"));
  assert.equal(shareWords({ round: 1, how: "adjusted", value: "3/5", shown: "60.00" }), "(60,00)");
  setLanguage("en", page("en"));
});
