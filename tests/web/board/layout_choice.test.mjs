import assert from "node:assert/strict";
import { test } from "node:test";

import { arrangePiles } from "../../../clients/web/js/board/geometry.js";
import { makeLayoutChoice } from "../../../clients/web/js/board/layout_choice.js";

const pile = (name, x, y, more = {}) => ({ name, role: "tableau", x, y, turn: 0, spread: "none", ...more });
/** Twelve piles in rows of so many. */
const laid = (columns) => Array.from({ length: 12 }, (_, n) => pile(`p.${n}`, 1.1 * (n % columns), 1.1 * Math.floor(n / columns)));
const room = (columns) => [1.1 * columns - 0.1, (1.1 * 12) / columns - 0.1];
const layouts = { layout: { piles: laid(6) }, layouts: { tall: { piles: laid(3), room: room(3) }, wide: { piles: laid(12), room: room(12) } } };
const columnsIn = (screen, choose = makeLayoutChoice(layouts)) => new Set(choose(screen).places.map(({ x }) => x)).size;

test("a tall room gets the tall layout, a short one the wide layout, any other the book's", () => {
  assert.equal(columnsIn({ width: 378, height: 600 }), 3);
  assert.equal(columnsIn({ width: 700, height: 300 }), 6, "the book's cards are larger there");
  assert.equal(columnsIn({ width: 1400, height: 150 }), 12);
  assert.equal(columnsIn({ width: 1200, height: 700 }), 6);
});

test("a table that is turned chooses again", () => {
  const choose = makeLayoutChoice(layouts);
  assert.deepEqual([[378, 600], [1400, 150], [378, 600]].map(([width, height]) => columnsIn({ width, height }, choose)), [3, 12, 3]);
});

test("rules of an older server, which have one layout, are drawn with it in every room", () => {
  assert.equal(columnsIn({ width: 378, height: 600 }, makeLayoutChoice({ layout: layouts.layout })), 6);
});

test("a layout for a small table says how much room its fans have", () => {
  const fans = { piles: [pile("a", 0, 0, { spread: "right" })], room: [3, 1] };
  const table = makeLayoutChoice({ layout: fans })({ width: 300, height: 700 });
  const { card, width } = arrangePiles(table, { a: ["7H"] }, { width: 300, height: 700 });
  assert.deepEqual([card.width, width], [100, 300]);
});
