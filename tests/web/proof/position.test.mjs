/** What each effect does to a position, and which effects cannot happen in it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { applyEffect, firstDifference, ImpossibleEffect, permutation } from "../../../clients/web/js/proof/position.js";

const BEFORE = { piles: { stock: ["-2S", "-3S"], waste: ["4S", "5S"], heap: ["-6S", "7S"], empty: [] }, counters: { redeals: 2 } };
const DOWN = new Set(["stock"]);
const after = (effect) => applyEffect(BEFORE, effect, DOWN);
const changed = (piles, counters = {}) => ({ piles: { ...BEFORE.piles, ...piles }, counters: { ...BEFORE.counters, ...counters } });

const EFFECTS = {
  "moved waste empty 1": { waste: ["4S"], empty: ["5S"] },
  "moved waste heap 2": { waste: [], heap: ["-6S", "7S", "4S", "5S"] },
  "moved waste stock 1": { waste: ["4S"], stock: ["-2S", "-3S", "-5S"] },
  "moved stock empty 2": { stock: [], empty: ["2S", "3S"] },
  "turned heap 0 up": { heap: ["6S", "7S"] },
  "turned heap 1 down": { heap: ["-6S", "-7S"] },
  "exchanged stock waste": { stock: ["-2S", "-5S"], waste: ["4S", "3S"] },
  "redealt waste:1 empty:1 kept": { waste: ["4S"], empty: ["5S"] },
  "redealt waste:0 stock:4 reversed": { waste: [], stock: ["-3S", "-2S", "-5S", "-4S"] },
  "redealt stock:2 waste:2 3,0,2,1": { stock: ["-5S", "-2S"], waste: ["4S", "3S"] },
};

for (const [effect, piles] of Object.entries(EFFECTS)) {
  test(`an effect changes the position: ${effect}`, () => assert.deepEqual(after(effect), changed(piles)));
}

test("a counter is set, also below zero", () => {
  assert.deepEqual(after("counted redeals -3"), changed({}, { redeals: -3 }));
  assert.deepEqual(after("counted redeals 0"), changed({}, { redeals: 0 }));
});

const IMPOSSIBLE = [
  "", "moved", "moved waste empty", "moved waste empty 1 1", "moved waste empty 3", "moved waste empty 0", "moved waste empty -1",
  "moved waste empty 01", "moved waste empty 1.0", "moved waste empty x", "moved waste waste 1", "moved waste nowhere 1",
  "moved nowhere waste 1", "moved empty waste 1", "moved waste constructor 1", "moved waste empty 12345678901234567",
  "turned heap 0 down", "turned heap 1 up", "turned heap 0 sideways", "turned heap 2 up", "turned heap -1 up", "turned heap 0", "turned heap 0 up up",
  "exchanged waste waste", "exchanged waste empty", "exchanged empty waste", "exchanged waste", "exchanged waste heap 1",
  "redealt waste:2", "redealt waste kept", "redealt waste:1:1 kept", "redealt waste:1 kept", "redealt waste:3 kept", "redealt waste:2 waste:0 kept",
  "redealt waste:2 mixed", "redealt waste:2 0", "redealt waste:2 0,0", "redealt waste:2 0,2", "redealt waste:2 0,1,2", "redealt nowhere:0 kept",
  "counted nothing 1", "counted redeals", "counted redeals 1 1", "counted redeals x", "counted constructor 1", "burnt waste 1",
];

for (const effect of IMPOSSIBLE) {
  test(`an effect cannot happen: ${effect}`, () => assert.throws(() => after(effect), ImpossibleEffect));
}

test("only a redeal with places has an order", () => {
  assert.deepEqual(permutation("redealt waste:0 stock:12 11,10,9,8,7,6,5,4,3,2,1,0"), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
  assert.deepEqual(permutation("redealt waste:1 0"), [0]);
  for (const other of ["redealt waste:2 kept", "redealt waste:2 reversed", "redealt waste:2 0,1,", "moved waste empty 1", "counted redeals 0,1"]) {
    assert.equal(permutation(other), null, other);
  }
});

test("the first difference of two positions is named, a missing pile is an empty one", () => {
  assert.equal(firstDifference(BEFORE, structuredClone(BEFORE)), null);
  const { empty, ...rest } = BEFORE.piles;
  assert.deepEqual(empty, []);
  assert.equal(firstDifference(BEFORE, { ...BEFORE, piles: rest }), null);
  assert.equal(firstDifference({ ...BEFORE, piles: rest }, BEFORE), null);
  assert.deepEqual(firstDifference(BEFORE, changed({ waste: ["5S", "4S"] })), { name: "waste", expected: "4S 5S", found: "5S 4S" });
  assert.deepEqual(firstDifference(BEFORE, changed({ new: ["AS"] })), { name: "new", expected: "", found: "AS" });
  assert.deepEqual(firstDifference(changed({ new: ["AS", "2S"] }), BEFORE), { name: "new", expected: "AS 2S", found: "" });
  assert.deepEqual(firstDifference(BEFORE, changed({}, { redeals: 1 })), { name: "redeals", expected: "2", found: "1" });
  assert.deepEqual(firstDifference(BEFORE, changed({}, { left: 0 })), { name: "left", expected: "undefined", found: "0" });
  assert.deepEqual(firstDifference(changed({}, { left: 0 }), BEFORE), { name: "left", expected: "0", found: "undefined" });
});
