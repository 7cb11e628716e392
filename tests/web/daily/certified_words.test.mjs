import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { certifiedState, certifiedWords } from "../../../clients/web/js/daily/certified_words.js";

test("of a certified deal is said what the server tells: that it can be won, then its par, then its own level", () => {
  const deal = { slot: 1, level: "gentle", rules: "caesar", deal: "2026-11-20.1", runs: 0 };
  assert.equal(certifiedWords(deal), "");
  assert.equal(certifiedWords({ ...deal, seal: "ab" }), "Certified: this deal can be won");
  assert.equal(certifiedWords({ ...deal, seal: "ab", par: 12 }), "Certified. Par: 12 moves");
  assert.equal(certifiedWords({ ...deal, seal: "ab", par: 12, deal_level: "steady" }), "Certified. Par: 12 moves · This deal: Medium");
});

test("a deal with a seal is certified; one that is searched for is to be certified until its day begins", () => {
  const deal = { slot: 1, level: "gentle", rules: "caesar", deal: "2026-11-20.1", runs: 0 };
  const search = { solver: 6, budget: 10000 };
  assert.equal(certifiedState({ ...deal, search, seal: "ab" }, { state: "open" }), "certified");
  assert.equal(certifiedState({ ...deal, search }, { state: "announced" }), "to_be_certified");
  assert.equal(certifiedState({ ...deal, search }, { state: "open" }), "");
  assert.equal(certifiedState(deal, { state: "announced" }), "");
});
