import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "../english.mjs";
import { hasText } from "../../../clients/web/js/language/translate.js";

const source = (name) => readFileSync(new URL(`../../../clients/web/js/proof/${name}.js`, import.meta.url), "utf8");

test("every finding of the proof has a text", () => {
  const found = ["verify", "end"].flatMap((name) => [...source(name).matchAll(/find\([^,]+, "(\w+)", "(\w+)"/g)]);
  assert.ok(found.length > 20);
  const said = ["cut", "other"].map((reason) => `audit.found_kept_${reason}`);
  said.push("audit.found_beacon_signature");
  said.push(...found.map(([, check, reason]) => `audit.found_${check}_${reason}`),
    ...["moves", "milliseconds", "active"].map((name) => `audit.found_end_${name}`));
  said.push(...["rules", "player", "times", "kept", "end", "alone"].map((name) => `audit.not_shown_${name}`));
  assert.deepEqual(said.filter((key) => !hasText(key)), []);
});
