import assert from "node:assert/strict";
import { test } from "node:test";
import "../english.mjs";
import { roundsToVoid } from "../../../clients/web/js/evening/leader_panel.js";

const rounds = [{ round: 1 }, { round: 2 }, { round: 3, void: "power cut" }];

test("a leader can void the open round, and in a provisional standing each round to which an objection was upheld", () => {
  const objections = [{ round: 3, answer: "upheld" }, { round: 2, answer: "upheld" }, { round: 2, answer: "upheld" }, { round: 1, answer: "dismissed" }, { round: 1 }];
  assert.deepEqual(roundsToVoid({ state: "round", round: 2, rounds }), [2]);
  assert.deepEqual(roundsToVoid({ state: "pause", round: 2, rounds, objections }), []);
  assert.deepEqual(roundsToVoid({ state: "provisional", round: null, rounds, objections }), [2]);
  assert.deepEqual(roundsToVoid({ state: "final", round: null, rounds, objections }), []);
  assert.deepEqual(roundsToVoid({ state: "provisional", round: null, rounds: [], arena: {}, objections }), []);
});
