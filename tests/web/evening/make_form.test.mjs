import assert from "node:assert/strict";
import { test } from "node:test";
import "../english.mjs";
import { teamsWanted } from "../../../clients/web/js/evening/make_form.js";

test("each line with a name is a team, and an empty field means none", () => {
  assert.deepEqual(teamsWanted("Elms\n\n Oaks \n", 3), { best: 3, names: ["Elms", "Oaks"] });
  assert.equal(teamsWanted(" \n", 3), undefined);
});
