import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange, cardBox, hit, RATIO, survey } from "../../clients/web/js/geometry.js";

const pile = (name, x, y, more = {}) => ({ name, role: "tableau", x, y, turn: 0, spread: "none", ...more });
const screen = { width: 400, height: 600, fitHeight: false };
const cards = (count) => Array(count).fill("7H");
const named = (arrangement, name) => arrangement.piles.find(({ place }) => place.name === name);

test("a sideways card keeps its centre", () => {
  const box = cardBox(pile("a", 1, 1, { turn: 90 }));
  assert.ok(Math.abs(box.x + box.width / 2 - 1.5) < 1e-9);
  assert.ok(Math.abs(box.y + box.height / 2 - 1.5 * RATIO) < 1e-9);
  assert.ok(Math.abs(box.width - RATIO) < 1e-9);
});

test("the whole layout fits the width", () => {
  const table = survey({ piles: Array.from({ length: 9 }, (_, index) => pile(`p.${index}`, 1.1 * index, 0)) });
  const { card, width } = arrange(table, {}, screen);
  assert.ok(width <= 400 && card.width > 35);
});

test("on a desk the whole layout fits the height as well", () => {
  const table = survey({ piles: Array.from({ length: 9 }, (_, index) => pile(`p.${index}`, 0, 1.1 * index)) });
  assert.ok(arrange(table, {}, { ...screen, fitHeight: true }).height <= 600);
});

test("a spread ends before the pile in its way", () => {
  const table = survey({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 0, 3)] });
  const arrangement = arrange(table, { a: cards(20), b: cards(1) }, screen);
  const [above, below] = [named(arrangement, "a").box, named(arrangement, "b").box];
  assert.ok(above.y + above.height <= below.y);
});

test("an open spread is closed up to the height there is", () => {
  const table = survey({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  const arrangement = arrange(table, { a: cards(16) }, screen);
  assert.ok(arrangement.height <= 600);
});

test("a spread to the left stays on the table", () => {
  const table = survey({ piles: [pile("a", 5, 0, { spread: "left" }), pile("b", 6.5, 0)] });
  assert.ok(named(arrange(table, { a: cards(20) }, screen), "a").box.x >= 0);
});

test("a spread to the right stays on the table", () => {
  const table = survey({ piles: [pile("a", 0, 0), pile("b", 4, 0, { spread: "right" })] });
  const arrangement = arrange(table, { b: cards(20) }, screen);
  const { box } = named(arrangement, "b");
  assert.ok(box.x + box.width <= arrangement.width + 1);
});

test("face-down cards show less of themselves", () => {
  const table = survey({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  const spots = named(arrange(table, { a: ["--", "7H", "6S"] }, screen), "a").cards;
  assert.ok(spots[1].y - spots[0].y < spots[2].y - spots[1].y);
});

test("a pile with places of its own for its cards uses them", () => {
  const table = survey({ piles: [pile("a", 0, 0, { cards: [[0, 0, 0], [1.1, 0, 90]] })] });
  const spots = named(arrange(table, { a: cards(3) }, screen), "a").cards;
  assert.deepEqual(spots.map(({ turn }) => turn), [0, 90, 90]);
  assert.ok(spots[1].x > spots[0].x);
});

test("a point finds the uppermost card there and counts it from the top", () => {
  const table = survey({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  const arrangement = arrange(table, { a: cards(3), b: [] }, screen);
  const spots = named(arrangement, "a").cards;
  assert.deepEqual(hit(arrangement, 5, spots[0].y + 3), { pile: "a", depth: 3 });
  assert.deepEqual(hit(arrangement, 5, spots[2].y + 3), { pile: "a", depth: 1 });
  assert.equal(hit(arrangement, arrangement.width / 2, 500), null);
});
