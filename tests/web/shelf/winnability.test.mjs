/** The orders of the page about winnability. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ORDER_NAMES, sortGames } from "../../../clients/web/js/shelf/winnability.js";
import "../english.mjs";

const GAMES = [
  { slug: "sly", name: "Sly", deals: 10, won: { deals: 0 }, lost: { deals: 0 }, unknown: { deals: 10 }, nodes: 10_000 },
  { slug: "queens", name: "The Queens", deals: 100, won: { deals: 50 }, lost: { deals: 50 }, unknown: { deals: 0 }, nodes: 20, moves: 200 },
  { slug: "caesar", name: "Caesar", deals: 10, won: { deals: 9 }, lost: { deals: 0 }, unknown: { deals: 1 }, nodes: 50, moves: 12 },
];
const slugs = (order) => sortGames(GAMES, order).map(({ slug }) => slug);

test("by name an article does not count, and an order that is not known is that by name", () => {
  assert.deepEqual(slugs("name"), ["caesar", "queens", "sly"]);
  assert.deepEqual(slugs("by weight"), ["caesar", "queens", "sly"]);
});

test("verdicts are compared by their share of the deals, not by their number", () => {
  assert.deepEqual(slugs("won"), ["caesar", "queens", "sly"]);
  assert.deepEqual(slugs("lost"), ["queens", "caesar", "sly"]);
  assert.deepEqual(slugs("unknown"), ["sly", "caesar", "queens"]);
});

test("a game without a win comes last by the length of wins", () => {
  assert.deepEqual(slugs("nodes"), ["queens", "caesar", "sly"]);
  assert.deepEqual(slugs("moves"), ["caesar", "queens", "sly"]);
  assert.equal(ORDER_NAMES.length, 6);
});
