import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { dealsTodayWords } from "../../../clients/web/js/daily/deal_states.js";
import { nameWords } from "../../../clients/web/js/language/format.js";
import { setLanguage } from "../../../clients/web/js/language/translate.js";

/** Use a language as the page does. @param {string} tag */
function speak(tag) {
  setLanguage(tag, JSON.parse(readFileSync(new URL(`../../../clients/web/languages/${tag}.json`, import.meta.url), "utf8")));
}

test("a guest has a name in the reader's language, and everybody else keeps their own", () => {
  const guest = { name: "Guest z7y5x3w2", guest: true };
  const shown = ["en", "de", "hu", "tr"].map((tag) => (speak(tag), nameWords(guest)));
  assert.deepEqual(shown, ["Guest z7y5x3w2", "Gast z7y5x3w2", "Vendég z7y5x3w2", "Misafir z7y5x3w2"]);
  assert.equal(nameWords({ name: "Guest house", guest: false }), "Guest house");
});

test("the heading of the day has one capital in every language, at its beginning", () => {
  const headings = ["en", "de", "hu", "tr"].map((tag) => (speak(tag), dealsTodayWords(3)));
  assert.deepEqual(headings, ["Three deals today", "Drei Blätter heute", "Három leosztás ma", "Bugün üç dağıtım"]);
});
