import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { suitColours, cardSettings } from "../../../clients/web/js/settings/card_settings.js";
import { changeSettings } from "../../../clients/web/js/settings/settings.js";

const klondike = { slug: "klondike", colours: 2 };
const louis = { slug: "louis", colours: 4 };

afterEach(() => changeSettings({ colours: "game", "colours.klondike": "game", hand: "right", faces: "standard" }));

test("by itself a game wears as many colours as its rules tell", () => {
  assert.deepEqual([klondike, louis].map(suitColours), ["two", "four"]);
});

test("two colours for all games leave none with four", () => {
  changeSettings({ colours: "two" });
  assert.deepEqual([klondike, louis].map(suitColours), ["two", "two"]);
});

test("a choice for one game goes before that for all", () => {
  changeSettings({ colours: "two", "colours.klondike": "four" });
  assert.deepEqual([klondike, louis].map(suitColours), ["four", "two"]);
});

test("the left hand mirrors the table, and large faces need more room", () => {
  assert.deepEqual(cardSettings(), { mirrored: false, large: false });
  changeSettings({ hand: "left", faces: "large" });
  assert.deepEqual(cardSettings(), { mirrored: true, large: true });
});
