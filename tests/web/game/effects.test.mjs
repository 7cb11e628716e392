import assert from "node:assert/strict";
import { test } from "node:test";

import { applyEffects, parseEffect, intermediatePositions, soundOfEffects } from "../../../clients/web/js/game/effects.js";

const BEFORE = { stock: ["--", "--"], waste: ["2S", "3S"], "t.0": ["--", "7H"], "t.1": ["8S"], home: [] };
const liesDown = (pile) => pile === "stock";
const between = (effects, changes) => intermediatePositions(BEFORE, effects, { ...BEFORE, ...changes }, liesDown);
const piles = (list, ...names) => list.map((stage) => Object.fromEntries(names.map((name) => [name, stage.piles[name].join(" ")])));

test("each effect of a move has a position of its own, in order", () => {
  const shown = between(["moved t.0 t.1 1", "turned t.0 0 up"], { "t.0": ["QD"], "t.1": ["8S", "7H"] });
  assert.deepEqual(piles(shown, "t.0", "t.1"), [{ "t.0": "--", "t.1": "8S 7H" }, { "t.0": "QD", "t.1": "8S 7H" }]);
});

test("an unknown card shows its face as soon as it lies face up", () => {
  const shown = between(["moved stock waste 1", "moved waste home 1"], { stock: ["--"], home: ["AS"] });
  assert.deepEqual(piles(shown, "waste", "home"), [{ waste: "2S 3S AS", home: "" }, { waste: "2S 3S", home: "AS" }]);
});

test("a counter adds no position", () => {
  assert.equal(between(["moved waste home 1", "counted redeals 1"], { waste: ["2S"], home: ["3S"] }).length, 1);
});

test("cards change places", () => {
  assert.deepEqual(piles(between(["exchanged t.0 t.1"], { "t.0": ["--", "8S"], "t.1": ["7H"] }), "t.0", "t.1"), [{ "t.0": "-- 8S", "t.1": "7H" }]);
});

test("at a redeal the cards are collected first, and the stock lies face down", () => {
  const [turned] = between(["redealt waste:0 stock:4 reversed"], { waste: [], stock: ["--", "--", "--", "--"] });
  assert.deepEqual(turned.gathered, ["waste", "stock"]);
  assert.equal(applyEffects(BEFORE, ["redealt waste:0 stock:4 reversed"], liesDown).waste.length, 0);
});

test("shuffled cards show only at the end", () => {
  const shown = between(["redealt t.0:1 t.1:2", "moved t.1 home 1"], { "t.0": ["8S"], "t.1": ["QD"], home: ["7H"] });
  assert.deepEqual(piles(shown, "t.0", "t.1", "home"), [{ "t.0": "8S", "t.1": "QD 7H", home: "" }, { "t.0": "8S", "t.1": "QD", home: "7H" }]);
});

test("effects that are unknown or do not lead to the next position are left out", () => {
  assert.deepEqual(between(["moved waste home 1"], { home: ["3S", "4S"] }), [{ piles: { ...BEFORE, home: ["3S", "4S"] } }]);
  assert.equal(between(["juggled waste"], {}).length, 1);
  assert.equal(between(["moved home waste 1"], {}).length, 1);
});

test("a long list of effects is shown in a few positions, the last one among them", () => {
  const many = { stock: Array(40).fill("--"), waste: [] };
  const after = { stock: [], waste: Array(40).fill("2S") };
  const shown = intermediatePositions(many, Array(40).fill("moved stock waste 1"), after, liesDown);
  assert.ok(shown.length <= 16);
  assert.equal(shown.at(-1).piles, after);
});

test("effects can be applied to another position, with unknown cards face down", () => {
  assert.deepEqual(applyEffects(BEFORE, ["moved stock waste 1"], liesDown).waste, ["2S", "3S", "--"]);
  assert.equal(applyEffects({ ...BEFORE, stock: [] }, ["moved stock waste 1"], liesDown), null);
});

test("an effect's text is parsed", () => {
  assert.deepEqual(parseEffect("moved waste home 1"), { kind: "moved", from: "waste", to: "home", count: 1 });
  assert.deepEqual(parseEffect("redealt waste:0 stock:33"), { kind: "redealt", order: "shuffled", sizes: [["waste", 0], ["stock", 33]] });
  assert.equal(parseEffect("juggled"), null);
});

test("a move sounds as what it does: it shuffles, turns a card up, or only lays cards", () => {
  assert.equal(soundOfEffects(["moved waste home 1"]), "lay");
  assert.equal(soundOfEffects(["moved t.0 home 1", "turned t.0 0 up"]), "turn");
  assert.equal(soundOfEffects(["turned t.0 0 down"]), "lay");
  assert.equal(soundOfEffects(["turned t.0 0 up", "redealt waste:0 stock:4 reversed", "counted redeals 1"]), "shuffle");
});
