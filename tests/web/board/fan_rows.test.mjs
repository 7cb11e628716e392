import assert from "node:assert/strict";
import { test } from "node:test";

import { fanRows } from "../../../clients/web/js/board/fan_rows.js";

const phone = { width: 350, height: 600, card: 52 };
const side = { width: 670, height: 250, card: 52 };

test("few cards lie side by side and cover nothing", () => {
  const { columns, step, card, width } = fanRows(4, phone);
  assert.deepEqual([columns, card], [4, 52]);
  assert.ok(step.x > card && width <= 350);
});

test("any number of cards fits, and of each the rank and the suit show", () => {
  for (const room of [phone, side]) {
    for (let count = 1; count <= 104; count += 1) {
      const { card, columns, step, width, height } = fanRows(count, room);
      assert.ok(width <= room.width && height <= room.height, `${count} cards fit`);
      assert.ok(card >= 40, `${count} cards are large enough`);
      assert.ok(columns === 1 || step.x >= 0.43 * card, `${count} cards show their left edge`);
      assert.ok(step.y >= 0.6 * 1.4 * card, `${count} cards show their upper part`);
    }
  }
});

test("where nothing fits the cards still lie in the width", () => {
  assert.ok(fanRows(60, { width: 120, height: 40, card: 52 }).width <= 120);
});
