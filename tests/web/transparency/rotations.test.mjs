import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { toBase64, BadNote, readKey } from "../../../clients/web/js/transparency/notes.js";
import { joinRotations, readRotations, trustedSpans, unpackRotations } from "../../../clients/web/js/transparency/rotations.js";

const PAGE = readFileSync(new URL("../../../docs/record.md", import.meta.url), "utf8");
const example = (kind) => JSON.parse(new RegExp(`\`\`\`json ${kind}\n(.*?)\`\`\``, "s").exec(PAGE)[1]);
const { rotation } = example("rotation");
const { host } = example("log");
const packed = (text) => toBase64(new TextEncoder().encode(text));

test("the rotation of the record page leads from its old key to the new one, each for its trees", async () => {
  const rotations = await readRotations([rotation]);
  for (const key of [rotations[0].old, rotations[0].next]) {
    const spans = trustedSpans([key], rotations);
    assert.deepEqual(spans.map(({ key: { id }, after, until }) => [id, after, until]), [["74dd92c4", -1, 57], ["90866522", 57, Infinity]]);
  }
  assert.deepEqual(rotations[0].old, readKey(host));
  assert.deepEqual(trustedSpans([{ ...readKey(host), id: "00000000" }], rotations).length, 1);
});

test("a rotation that was changed, or does not follow, is refused", async () => {
  for (const texts of [[rotation.replace("57", "58")], [rotation.replace("rotation 1", "rotation 2")], [rotation, rotation], ["nothing"]]) {
    await assert.rejects(readRotations(texts), BadNote);
  }
});

test("the rotations in a proof are whole notes in base64", () => {
  assert.deepEqual(unpackRotations(packed(rotation + rotation)), [rotation, rotation]);
  for (const wrong of ["?", packed(rotation.slice(0, -1)), packed(`${rotation}\n`), toBase64(new Uint8Array([255]))]) {
    assert.throws(() => unpackRotations(wrong), BadNote);
  }
});

test("of two histories of one key neither is believed", async () => {
  const [one] = await readRotations([rotation]);
  assert.deepEqual(joinRotations([one], []), [one]);
  assert.throws(() => joinRotations([one], [{ ...one, number: 58 }]), BadNote);
});
