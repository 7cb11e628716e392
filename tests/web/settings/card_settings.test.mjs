import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { coloursOf, likings } from "../../../clients/web/js/settings/card_settings.js";
import { change } from "../../../clients/web/js/settings/settings.js";

const klondike = { slug: "klondike", colours: 2 };
const louis = { slug: "louis", colours: 4 };

afterEach(() => change({ colours: "game", "colours.klondike": "game", hand: "right", faces: "standard" }));

test("by itself a game wears as many colours as its rules tell", () => {
  assert.deepEqual([klondike, louis].map(coloursOf), ["two", "four"]);
});

test("two colours for all games leave none with four", () => {
  change({ colours: "two" });
  assert.deepEqual([klondike, louis].map(coloursOf), ["two", "two"]);
});

test("a choice for one game goes before that for all", () => {
  change({ colours: "two", "colours.klondike": "four" });
  assert.deepEqual([klondike, louis].map(coloursOf), ["four", "two"]);
});

test("the left hand mirrors the table, and large faces need more room", () => {
  assert.deepEqual(likings(), { mirrored: false, large: false });
  change({ hand: "left", faces: "large" });
  assert.deepEqual(likings(), { mirrored: true, large: true });
});
