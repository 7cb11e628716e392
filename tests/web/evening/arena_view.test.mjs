import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { pointsWords, sheetWords } from "../../../clients/web/js/evening/arena_view.js";

test("a row says when the next run counts double", () => {
  assert.equal(pointsWords({ points: 8, streak: 2 }), "8 ×2");
  assert.equal(pointsWords({ points: 8, streak: 1 }), "8");
  assert.equal(pointsWords({ points: 0 }), "0");
});

test("a row shows the points of the last runs", () => {
  assert.equal(sheetWords([2, 2, 4, 0]), "2 2 4 0");
  assert.equal(sheetWords([9, 1, 2, 3, 4, 5, 6, 7, 8]), "… 1 2 3 4 5 6 7 8");
  assert.equal(sheetWords([]), "–");
});
