import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { attest, sidesOf, trustIn } from "../../../clients/web/js/transparency/attest.js";
import { BadNote, readKey, readNote, seenAt, signaturesBy } from "../../../clients/web/js/transparency/notes.js";

const PAGE = readFileSync(new URL("../../../docs/record.md", import.meta.url), "utf8");
const example = (kind) => JSON.parse(new RegExp(`\`\`\`json ${kind}\n(.*?)\`\`\``, "s").exec(PAGE)[1]);
const { host, witness, proof } = example("log");
const { secret, hash } = example("entry");
const report = {
  record: { game: "abcdefghijklmnop", stream: "game/abcdefghijklmnop", secret, proof, events: [1, 2, 3].map(() => ({ recorded_at: 1_800_000_060_999 })) },
  hashes: ["0".repeat(64), hash], findings: [], checks: {}, seed: "", steps: [],
};
const trust = trustIn({ keys: [host], witnesses: [witness] });

test("the example of the record page is attested and witnessed", async () => {
  const { report: checked, attestation } = await attest(report, trust);
  assert.deepEqual({ ...attestation, key: attestation.key.name }, {
    origin: "club.example/log", number: 2, size: 3, version: 2, key: "club.example/log",
    witnesses: [{ name: "friends.example/witness", at: 1_800_000_000 }], skipped: [],
  });
  assert.equal(checked.checks.log, "holds");
  assert.deepEqual(checked.findings, []);
});

test("without a key of this log nothing is shown, and with another key of its name the proof is refused", async () => {
  const { report: checked, attestation } = await attest(report, trustIn(null));
  assert.deepEqual([attestation.key, attestation.witnesses, checked.checks.log], [null, [], undefined]);
  const other = { ...trust.hosts[0], id: "00000000" };
  const refused = await attest(report, { hosts: [other], witnesses: [] });
  assert.deepEqual([refused.attestation, refused.report.findings[0].reason], [null, "unsigned"]);
});

test("an event after the one that the log has is not covered", async () => {
  const { report: checked, attestation } = await attest({ ...report, hashes: [...report.hashes, "1".repeat(64)] }, trust);
  assert.deepEqual([attestation.version, checked.checks.log], [2, "partly"]);
});

test("a witness who signed more than a minute before the game ended is told", async () => {
  const events = report.record.events.map(() => ({ recorded_at: 1_800_000_061_000 }));
  const { report: checked, attestation } = await attest({ ...report, record: { ...report.record, events } }, trust);
  assert.deepEqual([attestation, checked.findings], [null, [{ version: 0, check: "log", reason: "early" }]]);
});

for (const [what, change, reason] of [
  ["another game", (text) => ({ proof: text, secret: "1".repeat(64) }), "root"],
  ["another size", (text) => ({ proof: text.replace("\n3\n", "\n4\n") }), "length"],
  ["another root", (text) => ({ proof: text.replace("mzh2", "mzh3") }), "root"],
  ["another signature", (text) => ({ proof: text.replace("dN2SxF9x", "dN2SxF9y") }), "signature"],
  ["a time that the witness did not sign", (text) => ({ proof: text.replace("s5+o5AAAAABrSdIA", "s5+o5AAAAABrSdIB") }), "signature"],
  ["no proof at all", () => ({ proof: "nothing" }), "unreadable"],
]) {
  test(`a proof of ${what} is refused`, async () => {
    const { report: checked, attestation } = await attest({ ...report, record: { ...report.record, ...change(proof) } }, trust);
    assert.equal(attestation, null);
    assert.deepEqual(checked.findings, [{ version: 0, check: "log", reason }]);
    assert.equal(checked.checks.log, "broken");
  });
}

test("keys and notes that are none are refused", () => {
  for (const text of ["", "a+b", host.replace("club", "Club"), `${host.slice(0, -4)}????`, "a b+00000000+AAAA"]) assert.throws(() => readKey(text), BadNote);
  for (const text of ["", "a\n", "a\n\n", "a\tb\n\n\u2014 n AAAAAAA=\n", "a\n\n\u2014 n\n", "a\n\n\u2014 n AAAA\n"]) assert.throws(() => readNote(text), BadNote);
});

test("a note of another program is read, and its signature holds", async () => {
  const note = readNote("This is an example message.\n\n\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n");
  const key = readKey("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k");
  assert.equal((await signaturesBy(note, key)).length, 1);
  const [signature] = await signaturesBy(readNote(proof.slice(proof.indexOf("\n\n") + 2)), readKey(witness));
  assert.equal(seenAt(signature), 1_800_000_000);
});

test("the sides on the way to the root are those of the tree", () => {
  assert.deepEqual(sidesOf(0, 1), []);
  assert.deepEqual(sidesOf(2, 3), ["left"]);
  assert.deepEqual(sidesOf(2, 5), ["right", "left", "right"]);
  assert.throws(() => sidesOf(3, 3), BadNote);
});

test("a witness whose clock is thousands of years ahead has seen the log at the end of the year 9999, which a page can write", () => {
  const value = new Uint8Array(72).fill(255);
  assert.equal(seenAt({ name: "a", id: new Uint8Array(4), value }), 253_402_300_799);
});
