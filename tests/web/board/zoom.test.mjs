import assert from "node:assert/strict";
import { test } from "node:test";

import { zoomBy, edgePanSpeed } from "../../../clients/web/js/board/zoom.js";

test("the zoom ends at three times the size, and begins with the whole table", () => {
  assert.equal(zoomBy(1, 1.3), 1.3);
  assert.equal(zoomBy(2.9, 1.3), 3);
  assert.equal(zoomBy(1.1, 0.5), 1);
});

test("a zoom of almost 1 becomes 1", () => {
  assert.equal(zoomBy(1.3, 1 / 1.3), 1);
  assert.equal(zoomBy(1, 1.03), 1);
});

test("a card held in the middle does not pan the table", () => {
  assert.equal(edgePanSpeed(200, 0, 400), 0);
});

test("the nearer a card is to the edge, the faster the table pans, up to a limit", () => {
  assert.ok(edgePanSpeed(390, 0, 400) > edgePanSpeed(370, 0, 400) && edgePanSpeed(370, 0, 400) > 0);
  assert.equal(edgePanSpeed(900, 0, 400), edgePanSpeed(400, 0, 400));
  assert.equal(edgePanSpeed(10, 0, 400), -edgePanSpeed(390, 0, 400));
});
