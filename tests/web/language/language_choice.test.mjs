import assert from "node:assert/strict";
import { test } from "node:test";

import { pickLanguage } from "../../../clients/web/js/language/language_choice.js";

const tags = ["de", "en", "hu", "pt-BR"];

test("the first wanted language that there is, is spoken", () => {
  assert.equal(pickLanguage(["fr", "hu", "de"], tags), "hu");
});

test("a region's language is spoken where the region has none of its own", () => {
  assert.equal(pickLanguage(["de-AT", "hu"], tags), "de");
  assert.equal(pickLanguage(["pt-BR"], tags), "pt-BR");
});

test("English is spoken where nothing wanted is there", () => {
  assert.equal(pickLanguage(["fr", "it-CH"], tags), "en");
  assert.equal(pickLanguage([], tags), "en");
});
