/** Odd records are refused where they are odd. `tests/server/audit/test_two_verifiers.py` says the same of the same list. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { InvalidRecord, readRecord } from "../../../clients/web/js/proof/record.js";
import { verify } from "../../../clients/web/js/proof/verify.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
const rules = read("records/la-belle-lucie.rules.json");
const odd = read("odd_records.json");

/** Where a record is broken: the version of an event, 0 for its head, null for not at all. */
function brokenAt(bytes) {
  try {
    return verify(readRecord(bytes), rules).findings[0]?.version ?? null;
  } catch (problem) {
    if (!(problem instanceof InvalidRecord)) throw problem;
    return 0;
  }
}

test("there are odd records of every kind", () => {
  assert.ok(odd.length > 150);
  assert.deepEqual([...new Set(odd.map(({ broken_at: at }) => at))].sort(), [0, 1, 2, 3, 4, 5, null]);
});

for (const { name, broken_at: wanted, text, hex } of odd) {
  test(`an odd record is judged as by the other verifier: ${name}`, () => {
    assert.equal(brokenAt(text === null ? Buffer.from(hex, "hex") : new TextEncoder().encode(text)), wanted);
  });
}

for (const depth of [17, 1000, 100_000, 3_000_000]) {
  test(`a record that is nested ${depth} levels deep is refused`, () => {
    const whole = odd[0].text.replace(/}$/, `,"x":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    assert.throws(() => readRecord(whole), (problem) => problem instanceof InvalidRecord && problem.place === "nesting");
  });
}
