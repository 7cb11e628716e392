import assert from "node:assert/strict";
import { test } from "node:test";

import { arrangePiles, hitTest, measureLayout } from "../../../clients/web/js/board/geometry.js";

const place = (name, x, y, more = {}) => ({ name, role: "tableau", x, y, turn: 0, spread: "none", ...more });
const layout = {
  piles: [
    place("stock", 0, 0, { role: "stock" }),
    place("fan", 1.2, 0, { spread: "right" }),
    place("column", 0, 1.1, { spread: "down" }),
    place("sideways", 4, 2, { turn: 90 }),
  ],
};
const piles = { stock: ["--"], fan: ["7H", "6S", "5D"], column: ["KS", "QH"], sideways: ["AS"] };
const screen = { width: 600, height: 600 };
const table = measureLayout(layout);
const [right, left] = [arrangePiles(table, piles, screen), arrangePiles(table, piles, { ...screen, mirrored: true })];
const named = (arrangement, name) => arrangement.piles.find((pile) => pile.place.name === name);

test("a mirrored card is as far from the other side", () => {
  for (const { place: { name }, box } of right.piles) {
    const other = named(left, name).box;
    assert.deepEqual({ ...other, x: 0 }, { ...box, x: 0 });
    assert.equal(other.x, right.width - box.x - box.width);
  }
});

test("a mirrored fan spreads the other way, and a column as before", () => {
  const xs = (arrangement) => named(arrangement, "fan").cards.map(({ x }) => x);
  assert.ok(xs(right)[0] < xs(right)[2] && xs(left)[0] > xs(left)[2]);
  assert.equal(named(left, "fan").place.spread, "left");
  assert.equal(named(left, "column").place.spread, "down");
});

test("a turned card is turned the other way", () => {
  assert.deepEqual([named(right, "sideways").cards[0].turn, named(left, "sideways").cards[0].turn], [90, -90]);
});

test("a point and its mirror image find the same card", () => {
  for (const [x, y] of [[5, 5], [130, 40], [205, 20], [20, 150], [400, 270]]) {
    assert.deepEqual(hitTest(left, right.width - x, y), hitTest(right, x, y));
  }
});

test("mirroring twice changes nothing", async () => {
  const { mirrored } = await import("../../../clients/web/js/board/mirror.js");
  assert.deepEqual(mirrored(left).piles.map(({ box }) => box), right.piles.map(({ box }) => box));
});
