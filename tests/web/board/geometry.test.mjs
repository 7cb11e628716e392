import assert from "node:assert/strict";
import { test } from "node:test";

import { cardBox, RATIO } from "../../../clients/web/js/board/boxes.js";
import { arrangePiles, hitTest, measureLayout } from "../../../clients/web/js/board/geometry.js";

const pile = (name, x, y, more = {}) => ({ name, role: "tableau", x, y, turn: 0, spread: "none", ...more });
const screen = { width: 400, height: 600 };
const cards = (count) => Array(count).fill("7H");
const named = (arrangement, name) => arrangement.piles.find(({ place }) => place.name === name);

test("a sideways card keeps its centre", () => {
  const box = cardBox(pile("a", 1, 1, { turn: 90 }));
  assert.ok(Math.abs(box.x + box.width / 2 - 1.5) < 1e-9);
  assert.ok(Math.abs(box.y + box.height / 2 - 1.5 * RATIO) < 1e-9);
  assert.ok(Math.abs(box.width - RATIO) < 1e-9);
});

test("the whole layout fits the width", () => {
  const table = measureLayout({ piles: Array.from({ length: 9 }, (_, index) => pile(`p.${index}`, 1.1 * index, 0)) });
  const { card, width } = arrangePiles(table, {}, screen);
  assert.ok(width <= 400 && card.width > 35);
});

test("on a large screen the whole layout also fits the height", () => {
  const table = measureLayout({ piles: Array.from({ length: 9 }, (_, index) => pile(`p.${index}`, 0, 1.1 * index)) });
  assert.ok(arrangePiles(table, {}, { ...screen }).height <= 600);
});

test("a spread ends before the pile in its way", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 0, 3)] });
  const arrangement = arrangePiles(table, { a: cards(20), b: cards(1) }, screen);
  const [above, below] = [named(arrangement, "a").box, named(arrangement, "b").box];
  assert.ok(above.y + above.height <= below.y);
});

test("the cards of an open spread lie closer together if the height is small", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  const arrangement = arrangePiles(table, { a: cards(16) }, screen);
  assert.ok(arrangement.height <= 600);
});

test("a spread to the left stays on the table", () => {
  const table = measureLayout({ piles: [pile("a", 5, 0, { spread: "left" }), pile("b", 6.5, 0)] });
  assert.ok(named(arrangePiles(table, { a: cards(20) }, screen), "a").box.x >= 0);
});

test("a spread to the right stays on the table", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0), pile("b", 4, 0, { spread: "right" })] });
  const arrangement = arrangePiles(table, { b: cards(20) }, screen);
  const { box } = named(arrangement, "b");
  assert.ok(box.x + box.width <= arrangement.width + 1);
});

test("face-down cards show less than face-up cards", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  const spots = named(arrangePiles(table, { a: ["--", "7H", "6S"] }, screen), "a").cards;
  assert.ok(spots[1].y - spots[0].y < spots[2].y - spots[1].y);
});

test("a pile with places of its own for its cards uses them", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down", cards: [[0, 0, 0], [1.1, 0, 90]] })] });
  const { cards: spots, tight } = named(arrangePiles(table, { a: cards(3) }, screen), "a");
  assert.ok(!tight);
  assert.deepEqual(spots.map(({ turn }) => turn), [0, 90, 90]);
  assert.ok(spots[1].x > spots[0].x);
});

test("the card at a point is the topmost one, counted from the top of its pile", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  const arrangement = arrangePiles(table, { a: cards(3), b: [] }, screen);
  const spots = named(arrangement, "a").cards;
  assert.deepEqual(hitTest(arrangement, 5, spots[0].y + 3), { pile: "a", depth: 3 });
  assert.deepEqual(hitTest(arrangement, 5, spots[2].y + 3), { pile: "a", depth: 1 });
  assert.equal(hitTest(arrangement, arrangement.width / 2, 500), null);
});

test("an empty pile lies under every card that reaches into it", () => {
  const table = measureLayout({ piles: [pile("upper", 0, 0), pile("lower", 0, 0.6)] });
  const foot = (/** @type {Record<string, string[]>} */ piles) => {
    const arrangement = arrangePiles(table, piles, screen);
    const { box } = named(arrangement, "upper");
    return hitTest(arrangement, box.x + 3, box.y + box.height - 3)?.pile;
  };
  assert.equal(foot({ upper: ["7H"], lower: [] }), "upper");
  assert.equal(foot({ upper: ["7H"], lower: ["6S"] }), "lower");
});

test("on a large screen cards become smaller before a long column cannot be read", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 4, 0)] });
  const desk = { width: 1200, height: 700 };
  const [short, long] = [arrangePiles(table, { a: cards(4) }, desk), arrangePiles(table, { a: cards(26) }, desk)];
  assert.ok(long.card.width < short.card.width && long.height <= 701);
  assert.ok(long.piles[0].tight && !short.piles[0].tight);
});

test("a column that could not be read makes the table longer than the screen", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 6, 0)] });
  assert.ok(arrangePiles(table, { a: cards(90) }, screen).height > screen.height);
});

test("a long fan pushes its neighbours in the row aside", () => {
  const row = [0, 1, 2].map((number) => pile(`f.${number}`, 2.2 * number, 0, { spread: "right" }));
  const piles = { "f.0": cards(5), "f.1": cards(2), "f.2": cards(1) };
  const fans = arrangePiles(measureLayout({ piles: row }), piles, screen).piles;
  assert.ok(fans.every(({ tight }) => !tight));
  assert.ok(fans[0].box.x + fans[0].box.width <= fans[1].box.x && fans[1].box.x + fans[1].box.width <= fans[2].box.x);
});

test("fans that are too long for their row lie closer and stay on the table", () => {
  const row = [0, 1].map((number) => pile(`f.${number}`, 2.2 * number, 0, { spread: "right" }));
  const arrangement = arrangePiles(measureLayout({ piles: row }), { "f.0": cards(9), "f.1": cards(9) }, screen);
  const [left, right] = arrangement.piles.map(({ box }) => box);
  assert.ok(arrangement.piles[0].tight && left.x >= 0 && left.x + left.width <= right.x);
  assert.ok(right.x + right.width <= arrangement.width + 1);
});

test("a pile that is drawn only while it has cards is in the way only then", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 0, 1.2, { only_filled: true })] });
  const below = (piles) => named(arrangePiles(table, piles, screen), "a").box.height;
  assert.ok(below({ a: cards(6), b: cards(1) }) < below({ a: cards(6), b: [] }));
});

test("a zoomed table is larger than the screen by the zoom factor", () => {
  const table = measureLayout({ piles: Array.from({ length: 15 }, (_, index) => pile(`p.${index}`, 1.1 * index, 0)) });
  const [whole, close] = [arrangePiles(table, {}, screen), arrangePiles(table, {}, { ...screen, zoom: 2 })];
  assert.ok(whole.width <= screen.width && close.card.width >= 2 * whole.card.width && close.width > 1.9 * screen.width);
});

test("on a low screen the table becomes longer before its cards become too small", () => {
  const table = measureLayout({ piles: Array.from({ length: 9 }, (_, index) => pile(`p.${index}`, 0, 1.1 * index)) });
  const { card, height } = arrangePiles(table, {}, { width: 800, height: 200 });
  assert.ok(card.width === 32 && height > 200);
});

test("cards are larger on a large screen", () => {
  const table = measureLayout({ piles: Array.from({ length: 7 }, (_, index) => pile(`p.${index}`, 1.1 * index, 0)) });
  const width = (screen) => arrangePiles(table, {}, screen).card.width;
  assert.ok(width({ width: 3840, height: 2000 }) > 1.8 * width({ width: 1440, height: 800 }));
});

test("with large print more of a covered card shows", () => {
  const table = measureLayout({ piles: [pile("a", 0, 0, { spread: "down" }), pile("b", 4, 0)] });
  const height = (large) => arrangePiles(table, { a: cards(5) }, { width: 1200, height: 1200, large }).piles[0].box.height;
  assert.ok(height(true) > height(false));
});

test("a turned card is found where it is drawn", () => {
  const layout = { piles: [pile("a", 1, 1, { cards: [[1, 1, 90], [1, 1, 0]] })] };
  const arrangement = arrangePiles(measureLayout(layout), { a: cards(2) }, screen);
  const [lying] = named(arrangement, "a").cards;
  const middle = lying.y + arrangement.card.height / 2;
  assert.deepEqual(hitTest(arrangement, lying.x - 0.1 * arrangement.card.width, middle), { pile: "a", depth: 2 });
  assert.deepEqual(hitTest(arrangement, lying.x + 0.5 * arrangement.card.width, middle), { pile: "a", depth: 1 });
});
