import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { suitColours, cardSettings } from "../../../clients/web/js/settings/card_settings.js";
import { changeSettings } from "../../../clients/web/js/settings/settings.js";

const klondike = { slug: "klondike", colours: 2 };
const louis = { slug: "louis", colours: 4 };

afterEach(() => changeSettings({ colours: "game", "colours.klondike": "game", hand: "right", faces: "standard" }));

test("without a choice a game has as many colours as its rules say", () => {
  assert.deepEqual([klondike, louis].map(suitColours), ["two", "four"]);
});

test("the choice of two colours for all games leaves no game with four", () => {
  changeSettings({ colours: "two" });
  assert.deepEqual([klondike, louis].map(suitColours), ["two", "two"]);
});

test("a choice for one game overrides the choice for all games", () => {
  changeSettings({ colours: "two", "colours.klondike": "four" });
  assert.deepEqual([klondike, louis].map(suitColours), ["four", "two"]);
});

test("the left hand mirrors the table, and large faces need more room", () => {
  assert.deepEqual(cardSettings(), { mirrored: false, large: false });
  changeSettings({ hand: "left", faces: "large" });
  assert.deepEqual(cardSettings(), { mirrored: true, large: true });
});
