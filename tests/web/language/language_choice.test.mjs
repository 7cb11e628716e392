import assert from "node:assert/strict";
import { test } from "node:test";

import { choose } from "../../../clients/web/js/language/language_choice.js";

const tags = ["de", "en", "hu", "pt-BR"];

test("the first wanted language that there is, is spoken", () => {
  assert.equal(choose(["fr", "hu", "de"], tags), "hu");
});

test("a region's language is spoken where the region has none of its own", () => {
  assert.equal(choose(["de-AT", "hu"], tags), "de");
  assert.equal(choose(["pt-BR"], tags), "pt-BR");
});

test("English is spoken where nothing wanted is there", () => {
  assert.equal(choose(["fr", "it-CH"], tags), "en");
  assert.equal(choose([], tags), "en");
});
