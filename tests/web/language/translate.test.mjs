import assert from "node:assert/strict";
import { test } from "node:test";

import { formatDate, hasText, languageTag, formatNumber, tNodes, setLanguage, t } from "../../../clients/web/js/language/translate.js";

const file = { words: { bar: { today: "Today" }, cards: { one: "{count} card", other: "{count} cards" }, won: "{who} won {count}" } };

test("a text is found by its key, its values are filled in, and the count chooses its plural form", () => {
  setLanguage("en", file);
  assert.equal(t("bar.today"), "Today");
  assert.equal(t("cards", { count: 1 }), "1 card");
  assert.equal(t("cards", { count: 1234 }), "1,234 cards");
  assert.deepEqual(tNodes("won", { who: "Ada", count: 3 }), ["Ada", " won ", "3"]);
});

test("a missing text shows its key, and a missing value shows nothing", () => {
  setLanguage("en", file);
  assert.equal(t("bar.nothing"), "bar.nothing");
  assert.equal(hasText("bar.nothing"), false);
  assert.equal(hasText("bar.today"), true);
  assert.equal(t("won", { count: 2 }), " won 2");
});

test("numbers and days are written as the language writes them", () => {
  setLanguage("de", file);
  assert.equal(languageTag(), "de");
  assert.equal(formatNumber(1234567), "1.234.567");
  assert.equal(formatNumber(-52), "−52");
  assert.equal(formatDate(Date.UTC(2026, 10, 20), { day: "numeric", month: "long", timeZone: "UTC" }), "20. November");
  setLanguage("hu", file);
  assert.equal(t("cards", { count: 5 }), "5 cards");
});
