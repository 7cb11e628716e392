import assert from "node:assert/strict";
import test from "node:test";
import "../english.mjs";
import { placeWords } from "../../../clients/web/js/evening/virtual_panel.js";

const known = { evening: "e", at: 0, place: 4, of: 37, shown: "58.33" };

test("who plays an evening later reads where they stand at this minute", () => {
  assert.equal(placeWords({ ...known, state: "on" }), "At this minute of the evening: place 4 of 37, with 58.33.");
});

test("in the end they read where they would have been", () => {
  assert.equal(placeWords({ ...known, state: "finished" }), "You would have been in place 4 of 37, with 58.33.");
});

test("who has ended no run has no place", () => {
  assert.equal(placeWords({ evening: "e", at: 0, state: "on" }), "");
  assert.equal(placeWords({ evening: "e", at: 0, state: "finished" }), "You opened no deal.");
});
