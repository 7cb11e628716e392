import assert from "node:assert/strict";
import { test } from "node:test";

import { mergeMessages } from "../../../clients/web/js/chat/messages.js";

const by = { id: "ann", name: "Ann", guest: false };
const message = (id, at, text = id) => ({ id, by, at, text });
const gone = (id, at) => ({ id, by, at, removed: true });

test("messages stand in the order in which they were written, each once", () => {
  const merged = mergeMessages([message("b", 2), message("c", 2)], [message("a", 2), message("d", 1), message("b", 2)]);
  assert.deepEqual(merged.map(({ id }) => id), ["d", "a", "b", "c"]);
});

test("what was removed stays removed, in whichever order the two come", () => {
  for (const [first, second] of [[message("a", 1), gone("a", 1)], [gone("a", 1), message("a", 1)]]) {
    assert.deepEqual(mergeMessages([first], [second]), [gone("a", 1)]);
  }
});
