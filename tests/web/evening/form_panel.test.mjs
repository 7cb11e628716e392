import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { linePoints, overWords, ratingWords } from "../../../clients/web/js/evening/form_panel.js";

test("the share leads, over so many evenings", () => {
  assert.equal(overWords({ share: 5833, evenings: 12 }), "58.3% over 12 evenings");
  assert.equal(overWords({ share: 10_000, evenings: 1 }), "100.0% over 1 evening");
  assert.equal(overWords({ evenings: 2 }), "2 evenings");
});

test("a rating that is provisional says so", () => {
  assert.equal(ratingWords({ rating: 1713 }), "Rating 1713");
  assert.equal(ratingWords({ rating: 1713, provisional: true }), "Rating 1713, provisional");
});

test("the line goes from edge to edge, and its highest point has the highest rating", () => {
  assert.deepEqual(linePoints([1500, 1700, 1600]), [[6, 94], [150, 6], [294, 50]]);
  assert.deepEqual(linePoints([1758]), [[150, 50]]);
  assert.deepEqual(linePoints([1500, 1500]), [[6, 50], [294, 50]]);
});
