/**
 * Receipts: whether a host has kept the signed promise that the log will have the end of a game (docs/record.md).
 *
 * @import { PublicKey } from "./notes.js"
 * @import { Trust } from "./attest.js"
 * @import { ReadTile } from "./tree.js"
 * @typedef {{origin: string, stream: string, version: number, digest: string, dueAt: number}} Receipt `dueAt` in milliseconds since 1970
 * @typedef {{checkpoint: () => Promise<string>, tile: ReadTile}} Log where the files of a log are read
 * @typedef {{verdict: "kept"|"broken"|"later"|"waiting", number: number, size: number}} Finding `kept` as entry `number`, from 0;
 *   `broken`: the log is later than the due time and lacks it; `later`: it has a later end of the game, whose record must be checked;
 *   `waiting`: the log is not later than the due time
 */
import { canonicalJson } from "../hashing/canonical_json.js";
import { hex, join, sha256 } from "../hashing/sha256.js";
import { findSigners, readCheckpoint, rootAbove } from "./attest.js";
import { BadNote, readNote, seenAt, signaturesBy } from "./notes.js";
import { joinRotations, readRotations, trustedSpans } from "./rotations.js";
import { ENTRIES, inclusionHashes, leafHash, readBundle, treeHash, WIDTH, widthOf } from "./tree.js";

const SUFFIX = "/receipt";
const LINES = [/^[^\s+]+\/receipt$/u, /^[a-z][a-z0-9_]*\/[A-Za-z0-9_-]{1,64}$/, /^[1-9][0-9]{0,8}$/, /^[0-9a-f]{64}$/, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/];
/** So long after the due time a log must have an entry that is later; one that has none stands still. */
const STANDSTILL_MILLISECONDS = 36 * 60 * 60 * 1000;

/** Whether a text is meant to be a receipt. @param {string} text */
export const isReceipt = (text) => text.split("\n", 1)[0].endsWith(SUFFIX);

/** The receipt in a note; its signature is not checked. @param {string} text @returns {Receipt} @throws {BadNote} */
export function readReceipt(text) {
  const lines = readNote(text).text.split("\n");
  if (lines.length !== LINES.length + 1 || !LINES.every((line, place) => line.test(lines[place]))) throw new BadNote("unreadable");
  const [name, stream, version, digest, due] = lines;
  const dueAt = Date.parse(due);
  if (Number.isNaN(dueAt) || new Date(dueAt).toISOString() !== due.replace("Z", ".000Z")) throw new BadNote("unreadable");
  return { origin: name.slice(0, -SUFFIX.length), stream, version: Number(version), digest, dueAt };
}

/**
 * Check a receipt against a log.
 * @param {string} text
 * @param {Log} log
 * @param {Trust} trust
 * @param {number} now in milliseconds since 1970
 * @returns {Promise<Finding>}
 * @throws {BadNote} if the receipt or the log is not signed by a trusted key, or the log is not whole
 */
export async function checkReceipt(text, log, trust, now) {
  const receipt = readReceipt(text);
  await requireSigned(text, receipt, trust);
  const note = readNote(await log.checkpoint());
  const checkpoint = readCheckpoint(note);
  if (!(await findSigners(note, { ...checkpoint, extra: "" }, trust)).length) throw new BadNote("unsigned");
  const { number, isContinued, latestAt } = await findEntry(receipt, checkpoint, log);
  const { size } = checkpoint;
  if (number !== null) return { verdict: "kept", number, size };
  if (isContinued) return { verdict: "later", number: 0, size };
  let seen = latestAt;
  for (const key of trust.witnesses) for (const one of await signaturesBy(note, key)) seen = Math.max(seen, 1000 * seenAt(one));
  const isLate = checkpoint.origin === receipt.origin && (seen > receipt.dueAt || now > receipt.dueAt + STANDSTILL_MILLISECONDS);
  return { verdict: isLate ? "broken" : "waiting", number: 0, size };
}

/** @param {string} text @param {Receipt} receipt @param {Trust} trust @throws {BadNote} */
async function requireSigned(text, { origin }, trust) {
  const rotations = (await readRotations(trust.rotations ?? [])).filter(({ old }) => old.name === origin);
  const spans = trustedSpans(trust.hosts.filter(({ name }) => name === origin), joinRotations(rotations, []));
  for (const { key } of spans) if ((await signaturesBy(readNote(text), receiptKey(key))).length) return;
  throw new BadNote("unsigned");
}

/** The key of a log under the name with which it signs receipts. @param {PublicKey} key @returns {PublicKey} */
function receiptKey({ name, kind, bytes }) {
  const own = `${name}${SUFFIX}`;
  return { name: own, kind, bytes, id: hex(sha256(join(`${own}\n`, Uint8Array.of(kind), bytes))).slice(0, 8) };
}

/**
 * Read the log from its end back until the promised entry is found, or all of it.
 * @param {Receipt} receipt
 * @param {{size: number, root: Uint8Array}} checkpoint
 * @param {Log} log
 * @returns {Promise<{number: number|null, isContinued: boolean, latestAt: number}>}
 */
async function findEntry({ stream, version, digest }, { size, root }, log) {
  const promised = canonicalJson({ digest, stream, version });
  /** @type {Uint8Array[]} */
  const leaves = [];
  let isContinued = false;
  let latestAt = 0;
  for (let bundle = Math.ceil(size / WIDTH) - 1; bundle >= 0; bundle -= 1) {
    const width = widthOf(ENTRIES, bundle, size);
    const entries = readBundle(await log.tile(ENTRIES, bundle, width));
    if (entries.length !== width) throw new BadNote("length");
    const texts = entries.map((entry) => new TextDecoder().decode(entry));
    const place = texts.indexOf(promised);
    const number = bundle * WIDTH + place;
    if (place >= 0) {
      const hashes = await inclusionHashes(number, size, log.tile);
      if (hex(rootAbove(leafHash(entries[place]), { number, size, hashes })) !== hex(root)) throw new BadNote("root");
      return { number, isContinued: false, latestAt };
    }
    for (const text of texts) {
      latestAt = Math.max(latestAt, Number(/^\{"at":([0-9]{1,15}),/.exec(text)?.[1] ?? 0));
      if (text.includes(`","stream":"${stream}","version":`)) isContinued ||= Number(/([0-9]+)\}$/.exec(text)?.[1]) > version;
    }
    leaves.unshift(...entries.map(leafHash));
  }
  if (hex(treeHash(leaves)) !== hex(root)) throw new BadNote("root");
  return { number: null, isContinued, latestAt };
}
