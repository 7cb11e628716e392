import assert from "node:assert/strict";
import { test } from "node:test";

import { pickLanguage } from "../../../clients/web/js/language/language_choice.js";

const tags = ["de", "en", "hu", "pt-BR"];

test("the first wanted language that exists is used", () => {
  assert.equal(pickLanguage(["fr", "hu", "de"], tags), "hu");
});

test("for a region without a file the language itself is used", () => {
  assert.equal(pickLanguage(["de-AT", "hu"], tags), "de");
  assert.equal(pickLanguage(["pt-BR"], tags), "pt-BR");
});

test("English is used if no wanted language exists", () => {
  assert.equal(pickLanguage(["fr", "it-CH"], tags), "en");
  assert.equal(pickLanguage([], tags), "en");
});
