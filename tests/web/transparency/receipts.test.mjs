import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { hex, join, sha256 } from "../../../clients/web/js/hashing/sha256.js";
import { trustIn } from "../../../clients/web/js/transparency/attest.js";
import { BadNote } from "../../../clients/web/js/transparency/notes.js";
import { checkReceipt, isReceipt, readReceipt } from "../../../clients/web/js/transparency/receipts.js";
import { ENTRIES, leafHash, treeHash } from "../../../clients/web/js/transparency/tree.js";

const PAGE = readFileSync(new URL("../../../docs/record.md", import.meta.url), "utf8");
const example = (kind) => JSON.parse(new RegExp(`\`\`\`json ${kind}\n(.*?)\`\`\``, "s").exec(PAGE)[1]);
const { host, entry, receipt } = example("receipt");
const DUE = Date.parse("2025-11-21T12:00:00Z");
const DAYS = 24 * 60 * 60 * 1000;
const trust = trustIn({ keys: [host] });

/** The key of the page's examples, whose secret is the numbers from 0 to 31. */
const secret = createPrivateKey({ key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.from([...Array(32).keys()])]), format: "der", type: "pkcs8" });

function signed(text, name) {
  const id = sha256(join(`${name}\n`, Uint8Array.of(1), createPublicKey(secret).export({ format: "der", type: "spki" }).subarray(-32))).slice(0, 4);
  return `${text}\n\u2014 ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), secret)]).toString("base64")}\n`;
}

/** A log of these entries, as a server shows it. */
function logOf(entries, { root, name = "club.example/log" } = {}) {
  const bytes = entries.map((text) => new TextEncoder().encode(text));
  const leaves = bytes.map(leafHash);
  const top = root ?? treeHash(leaves);
  const read = [];
  return {
    read,
    checkpoint: async () => signed(`${name}\n${entries.length}\n${Buffer.from(top).toString("base64")}\n`, name),
    async tile(level, number, width) {
      read.push([level, number, width]);
      const from = number * 256;
      if (level === ENTRIES) return join(...bytes.slice(from, from + width).flatMap((one) => [Uint8Array.of(one.length >> 8, one.length & 255), one]));
      const hashes = level === 0 ? leaves : Array.from({ length: Math.floor(leaves.length / 256) }, (_, at) => treeHash(leaves.slice(at * 256, at * 256 + 256)));
      return join(...hashes.slice(from, from + width));
    },
  };
}

const others = (count) => Array.from({ length: count }, (_, at) => `{"digest":"${hex(sha256(join(String(at))))}","stream":"game/other${at}","version":9}`);
const late = `{"at":${DUE + 1},"run":"aaaabbbbccccdddd","struck":true}`;
const verdict = async (entries, now = DUE, options = {}) => (await checkReceipt(receipt, logOf(entries, options), trust, now)).verdict;

test("the receipt of the record page is read, and names the entry and when it is due", () => {
  assert.deepEqual(readReceipt(receipt), { origin: "club.example/log", dueAt: DUE, ...JSON.parse(entry) });
  assert.ok(isReceipt(receipt));
  assert.ok(!isReceipt(example("log").proof));
});

for (const [before, after] of [[0, 0], [3, 5], [255, 1], [256, 0], [300, 300], [600, 7]]) {
  test(`a promise is kept by an entry after ${before} and before ${after} others, before it is due and after`, async () => {
    const log = logOf([...others(before), entry, ...others(after)]);
    for (const now of [DUE - DAYS, DUE + 9 * DAYS]) {
      assert.deepEqual(await checkReceipt(receipt, log, trust, now), { verdict: "kept", number: before, size: before + after + 1 });
    }
  });
}

test("a log is read from its end, and no further than to the entry", async () => {
  const log = logOf([...others(900), entry]);
  await checkReceipt(receipt, log, trust, DUE);
  assert.deepEqual(log.read.filter(([level]) => level === ENTRIES), [[ENTRIES, 3, 133]]);
});

test("a log without the entry has broken the promise if it has a later entry, or stands still for long", async () => {
  assert.equal(await verdict(others(3), DUE + DAYS), "waiting");
  assert.equal(await verdict([...others(3), late.replace(String(DUE + 1), String(DUE))]), "waiting");
  assert.equal(await verdict([late, ...others(300)]), "broken");
  assert.equal(await verdict(others(3), DUE + 1.5 * DAYS), "waiting");
  assert.equal(await verdict(others(3), DUE + 1.5 * DAYS + 1), "broken");
});

test("an entry of the same game with another digest, or of fewer events, keeps no promise; a later one has to be checked", async () => {
  assert.equal(await verdict([late, entry.replace("2feca5dc", "2feca5dd")]), "broken");
  assert.equal(await verdict([late, entry.replace('"version":2', '"version":1')]), "broken");
  assert.equal(await verdict([late, entry.replace('"version":2', '"version":3')]), "later");
});

test("a log whose entries do not lead to the root that was signed says nothing", async () => {
  for (const entries of [[late, ...others(3)], [entry, ...others(3)]]) {
    await assert.rejects(verdict(entries, DUE, { root: new Uint8Array(32) }), BadNote);
  }
  const short = logOf([late, ...others(3)]);
  const tile = short.tile;
  short.tile = async (level, number, width) => tile(level, number, width - 1);
  await assert.rejects(checkReceipt(receipt, short, trust, DUE), BadNote);
});

test("a receipt or a log by another key says nothing", async () => {
  const log = logOf([entry]);
  for (const nobody of [trustIn(null), trustIn({ keys: [example("log").witness] })]) await assert.rejects(checkReceipt(receipt, log, nobody, DUE), BadNote);
  await assert.rejects(verdict([entry], DUE, { name: "other.example/log" }), BadNote);
  const asCheckpoint = receipt.replace(/\u2014.*\n/, signed("x\n", "club.example/log").split("\n").slice(2).join("\n"));
  await assert.rejects(checkReceipt(asCheckpoint, log, trust, DUE), BadNote);
});

test("a receipt in which anything is changed is refused", async () => {
  const log = logOf([entry]);
  const lines = receipt.split("\n");
  for (const place of [0, 1, 2, 3, 4, 6]) {
    for (const change of [(line) => `${line}x`, (line) => line.slice(0, -2) + (line.endsWith("Z") ? "1Z" : "aa"), () => ""]) {
      const changed = lines.map((line, at) => (at === place ? change(line) : line)).join("\n");
      await assert.rejects(checkReceipt(changed, log, trust, DUE), BadNote, changed);
    }
  }
  for (const text of ["", "a/receipt\n", receipt.replace("\n2\n", "\n02\n"), receipt.replace("11-21T", "02-30T")]) assert.throws(() => readReceipt(text), BadNote);
});

