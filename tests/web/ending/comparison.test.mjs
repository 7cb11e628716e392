import assert from "node:assert/strict";
import { test } from "node:test";
import "../english.mjs";
import { comparisons, parComparison } from "../../../clients/web/js/ending/comparison.js";
import { gameText } from "../../../clients/web/js/daily/share_dialog.js";

const RUN = { game: { status: "lost" }, score: 81, maximum: 104, streak: 1, points: 780 };
const PAST = { played: 4, won: 1, best_score: 90, mean_score: 60.25 };
const words = (result) => comparisons({ ...RUN, ...result }).map((one) => one.words);
const good = (result) => comparisons({ ...RUN, ...result }).filter((one) => one.good).map(({ kind }) => kind);

test("a ranked run is compared with everybody, with friends, with earlier games and by its streak", () => {
  const place = { rank: 3, total: 17, behind: 14 };
  assert.deepEqual(words({ place, friends_place: { rank: 1, total: 4, behind: 3 }, past: PAST, streak: 5 }), [
    "3rd of 17 on this deal, better than 88% of the others",
    "1st of 4 among you and your friends",
    "Your best in this game is 90 of 104, your average 60.3",
    "5 days in a row",
  ]);
  assert.deepEqual(good({ place, friends_place: { rank: 1, total: 4, behind: 3 }, past: PAST, streak: 5 }), ["friends", "streak"]);
});

test("the first player on a deal is better than nobody", () => {
  assert.deepEqual(words({ place: { rank: 1, total: 1, behind: 0 } })[0], "You are the first on this deal’s board");
  assert.deepEqual(good({ place: { rank: 1, total: 1, behind: 0 }, past: PAST }), []);
});

test("of players with equal results nobody is better than the other", () => {
  assert.equal(words({ place: { rank: 2, total: 5, behind: 1 } })[0], "2nd of 5 on this deal, better than 25% of the others");
});

test("the last is told the place and no more", () => {
  assert.equal(words({ place: { rank: 4, total: 4, behind: 0 } })[0], "4th of 4 on this deal");
});

test("the first of several gets a badge, unless the run was given up", () => {
  const place = { rank: 1, total: 3, behind: 2 };
  assert.equal(words({ place })[0], "1st of 3 on this deal");
  assert.deepEqual([good({ place }), good({ place, game: { status: "resigned" } })], [["place"], []]);
});

test("a game is compared with the best and the average of earlier ones", () => {
  assert.deepEqual(words({ points: undefined, past: undefined }), ["Your first finished game of this kind"]);
  assert.deepEqual(words({ points: undefined, past: { ...PAST, best_score: 81 } }), ["As good as your best game of this kind"]);
  assert.deepEqual(words({ points: undefined, score: 0, past: { ...PAST, best_score: 0 } }), []);
  assert.deepEqual(words({ points: undefined, past: { ...PAST, best_score: 80 } }), ["Your best game of this kind; the best before was 80 of 104"]);
  assert.deepEqual(good({ points: undefined, past: { ...PAST, best_score: 80 } }), ["past"]);
});

test("a game that a day or a month ended unfinished is not compared with others: it is in no statistics", () => {
  for (const mode of ["daily", "casual"]) assert.deepEqual(words({ points: undefined, game: { status: "out_of_time", mode } }), []);
  const race = { status: "out_of_time", mode: "race" };
  assert.deepEqual(words({ points: undefined, game: race }), ["Your first finished game of this kind"]);
});

test("the text to share leads with the score out of its maximum and names no card", () => {
  const session = { score: 81, status: "lost", played: 98, milliseconds: 252_000 };
  assert.equal(gameText(session, { name: "Klondike", maximum: 104 }), "81 of 104 · Klondike: lost, 98 moves, 4:12");
});

test("a won run is held against the par of its deal, where it may be told", () => {
  const daily = { deals: [{ slot: 1 }, { slot: 2, par: 96 }] };
  const par = (slot, run) => parComparison({ slot }, daily, run).map(({ words: said, good: isGood }) => [said, isGood]);
  assert.deepEqual(par(2, { status: "won", played: 117 }), [["Par 96: your 117 moves", false]]);
  assert.deepEqual(par(2, { status: "won", played: 96 }), [["Par 96: your 96 moves", true]]);
  assert.deepEqual(par(2, { status: "resigned", played: 3 }), [["Par 96: this deal can be won in 96 moves", false]]);
  assert.deepEqual([par(1, { status: "won", played: 3 }), parComparison({}, null, { status: "won", played: 3 })], [[], []]);
});

test("a game that began at a position of another one is not compared with games that were played whole", () => {
  assert.deepEqual(words({ past: PAST, game: { status: "lost", competition: "puzzle", about: "2026-11-20" }, points: undefined }), []);
  assert.deepEqual(words({ past: PAST, game: { status: "lost", origin: { game: "a", version: 9 } }, points: undefined }), []);
});
