/**
 * The width of a card in every game on a phone, with the layout of the book alone and with all layouts.
 * `node table_sizes.mjs` reads `{slug: {layout, layouts, piles}}` and writes `{slug: {room: {book, now}}}`;
 * benchmarks/table_sizes.py calls it.
 */
import { readFileSync } from "node:fs";

import { arrangePiles, measureLayout } from "../clients/web/js/board/geometry.js";
import { makeLayoutChoice } from "../clients/web/js/board/layout_choice.js";
import { expandPile } from "../clients/web/js/game/cards.js";

/** What is left for the cards between the bar, the figures and the tools: before the tools of a phone on its side moved, and now. */
const ROOMS = {
  "390x844": { book: { width: 379, height: 641 }, now: { width: 379, height: 641 } },
  "360x740": { book: { width: 349, height: 537 }, now: { width: 349, height: 537 } },
  "844x390": { book: { width: 810, height: 245 }, now: { width: 698, height: 303 } },
};

const games = JSON.parse(readFileSync(0, "utf8"));
const sizes = Object.entries(games).map(([slug, { layout, layouts, piles: dealt }]) => {
  const piles = Object.fromEntries(Object.entries(dealt).map(([name, cards]) => [name, expandPile(cards)]));
  const choose = makeLayoutChoice({ layout, layouts });
  const rooms = Object.entries(ROOMS).map(([name, { book, now }]) => [name, {
    book: sizeIn(measureLayout(layout), piles, book), now: sizeIn(choose(now), piles, now),
  }]);
  return [slug, Object.fromEntries(rooms)];
});
console.log(JSON.stringify(Object.fromEntries(sizes)));

/** The width of a card, how much of the room's height the table takes with the room of its spreads, and whether it must be panned. */
function sizeIn(table, piles, room) {
  const { card, height, width } = arrangePiles(table, piles, room);
  const share = Math.min(1, (table.height * card.width) / room.height);
  return { card: card.width, share, pans: height > room.height + 1 || width > room.width + 1 };
}
