/** What the reader has learned, in a browser that stores nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hasLearned, learn } from "../../../clients/web/js/settings/learned.js";

test("what was learned stays learned, and nothing else is", () => {
  assert.equal(hasLearned("klondike"), false);
  learn("klondike");
  learn("klondike");
  assert.equal(hasLearned("klondike"), true);
  assert.equal(hasLearned("maze"), false);
});
