import assert from "node:assert/strict";
import test from "node:test";

import { hasRedeal, isLimited, usesLeft } from "../../../clients/web/js/game/limited_verbs.js";
import { parseMove } from "../../../clients/web/js/game/moves.js";

const read = (...texts) => texts.map((text) => parseMove(text, (name) => name === "stock"));

test("a redeal and a grace are limited, a deal and a transfer are not", () => {
  assert.deepEqual(["redeal", "grace/tableau.1", "deal", "stock/waste"].map(isLimited), [true, true, false, false]);
});

test("the counter of a verb says how often it may still be played", () => {
  assert.equal(usesLeft("redeal", { redeals: 2, deals: 1 }), 2);
  assert.equal(usesLeft("grace/tableau.1", { graces: 1 }), 1);
  assert.equal(usesLeft("deal", { deals: 1 }), undefined);
  assert.equal(usesLeft("redeal", { queens: 3 }), undefined);
});

test("an empty stock has a redeal while one is left or legal", () => {
  assert.equal(hasRedeal([], { redeals: 1 }), true);
  assert.equal(hasRedeal(read("redeal"), { queens: 1 }), true);
  assert.equal(hasRedeal(read("deal"), { redeals: 0 }), false);
  assert.equal(hasRedeal([], {}), false);
});
