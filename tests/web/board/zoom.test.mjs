import assert from "node:assert/strict";
import { test } from "node:test";

import { zoomBy, edgePanSpeed } from "../../../clients/web/js/board/zoom.js";

test("a closer look ends at three times, and the whole table is the farthest", () => {
  assert.equal(zoomBy(1, 1.3), 1.3);
  assert.equal(zoomBy(2.9, 1.3), 3);
  assert.equal(zoomBy(1.1, 0.5), 1);
});

test("as good as the whole table is the whole table", () => {
  assert.equal(zoomBy(1.3, 1 / 1.3), 1);
  assert.equal(zoomBy(1, 1.03), 1);
});

test("a card held in the middle pans nothing", () => {
  assert.equal(edgePanSpeed(200, 0, 400), 0);
});

test("nearer the edge, and beyond it, the table pans faster, up to a point", () => {
  assert.ok(edgePanSpeed(390, 0, 400) > edgePanSpeed(370, 0, 400) && edgePanSpeed(370, 0, 400) > 0);
  assert.equal(edgePanSpeed(900, 0, 400), edgePanSpeed(400, 0, 400));
  assert.equal(edgePanSpeed(10, 0, 400), -edgePanSpeed(390, 0, 400));
});
