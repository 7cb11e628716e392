import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { figuresOf } from "../../../clients/web/js/admin/moderation/runs_panel.js";

test("a run says what it was played for: an evening, a race or a day", () => {
  const run = { rules: "golf", mode: "race", status: "lost", started_at: 0 };
  const kindOf = (/** @type {object} */ more) => figuresOf({ ...run, ...more }, new Map())[1];
  assert.deepEqual([kindOf({}), kindOf({ competition: "evening" })], ["race", "An evening"]);
  assert.match(kindOf({ day: "2026-11-20", slot: 2 }), /20 November 2026/);
});
