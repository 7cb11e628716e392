/**
 * Who stands for a record: whether the log of a host has it, and which witnesses have seen that log (docs/record.md).
 *
 * @import { PublicKey, Note } from "./notes.js"
 * @import { Report } from "../proof/verify.js"
 * @typedef {{hosts: PublicKey[], witnesses: PublicKey[], rotations?: string[]}} Trust the keys that somebody trusts, and notes in
 *   which keys of one host name the next ones
 * @typedef {Object} Attestation what a proof shows
 * @property {string} origin of the log
 * @property {number} number of the entry, from 0
 * @property {number} size of the tree
 * @property {number} version the last event that the entry covers
 * @property {PublicKey|null} key of the host that has signed, which is trusted or was rotated from or to such a key; null if none
 *   of this log is trusted
 * @property {{name: string, at: number}[]} witnesses that are trusted and have signed, and when, in seconds since 1970
 * @property {boolean} [unchecked] this browser cannot check signatures, so that nothing was shown
 */
import { canonicalJson } from "../hashing/canonical_json.js";
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";
import { BadNote, CannotCheckSignatures, fromBase64, LOG, readKey, readNote, seenAt, signaturesBy, WITNESS } from "./notes.js";
import { readNumber } from "./numbers.js";
import { joinRotations, readRotations, trustedSpans, unpackRotations } from "./rotations.js";

const FIRST_LINE = "c2sp.org/tlog-proof@v1";
const HASH_BYTES = 32;
const MOST_HASHES = 63;
/** So much may the clocks of a host and of its witnesses differ. */
const CLOCKS_SECONDS = 60;

/**
 * A report with what the record's proof shows. A proof that is wrong is one more finding.
 * @param {Report} report on a record that is consistent as far as it was checked
 * @param {Trust} trust
 * @returns {Promise<{report: Report, attestation: Attestation|null}>} null if the record has no proof, or a wrong one
 */
export async function attest(report, trust) {
  const { proof } = report.record;
  if (!proof || report.findings.length) return { report, attestation: null };
  try {
    const attestation = await check(report, proof, trust);
    if (!attestation.key) return { report, attestation };
    const log = attestation.version === report.hashes.length ? "holds" : "partly";
    return { report: { ...report, checks: { ...report.checks, log } }, attestation };
  } catch (problem) {
    if (!(problem instanceof BadNote)) throw problem;
    const finding = { version: 0, check: /** @type {const} */ ("log"), reason: problem.reason };
    return { report: { ...report, findings: [finding], checks: { ...report.checks, log: "broken" } }, attestation: null };
  }
}

/** The keys that a server names at `/.well-known/cadogan.json`. @param {any} host @returns {Trust} @throws {BadNote} */
export function trustIn(host) {
  const keys = [...host?.keys ?? [], ...host?.witnesses ?? []].map((key) => readKey(String(key)));
  const rotations = (host?.rotations ?? []).map(String);
  return { hosts: keys.filter(({ kind }) => kind === LOG), witnesses: keys.filter(({ kind }) => kind === WITNESS), rotations };
}

/** @param {Report} report @param {string} text @param {Trust} trust @returns {Promise<Attestation>} */
async function check(report, text, trust) {
  const { number, hashes, note, extra } = readProof(text);
  const { origin, size, root } = readCheckpoint(note);
  const version = coveredVersion(report, { number, size, root, hashes });
  const place = { origin, number, size, version };
  const endedAt = Math.floor(report.record.events[version - 1].recorded_at / 1000);
  try {
    return { ...place, ...await checkSignatures(note, { origin, size, extra, endedAt }, trust) };
  } catch (problem) {
    if (!(problem instanceof CannotCheckSignatures)) throw problem;
    return { ...place, key: null, witnesses: [], unchecked: true };
  }
}

/**
 * @param {Note} note
 * @param {{origin: string, size: number, extra: string, endedAt: number}} checkpoint and when the last event that it covers was, in seconds
 * @param {Trust} trust
 */
async function checkSignatures(note, checkpoint, trust) {
  const signed = await findSigners(note, checkpoint, trust);
  const witnesses = [];
  for (const key of trust.witnesses) {
    for (const signature of await signaturesBy(note, key)) witnesses.push({ name: key.name, at: seenAt(signature) });
  }
  if (witnesses.some(({ at }) => at + CLOCKS_SECONDS < checkpoint.endedAt)) throw new BadNote("early");
  return { key: signed[0] ?? null, witnesses: signed.length ? witnesses : [] };
}

/**
 * The host's keys that are trusted and have signed a checkpoint; none if no key of this log is trusted.
 * @param {Note} note
 * @param {{origin: string, size: number, extra: string}} checkpoint
 * @param {Trust} trust
 */
async function findSigners(note, { origin, size, extra }, trust) {
  const ours = (await readRotations(trust.rotations ?? [])).filter(({ old }) => old.name === origin);
  const theirs = await readRotations(extra ? unpackRotations(extra) : []);
  if (theirs.some(({ old }) => old.name !== origin)) throw new BadNote("rotation");
  const spans = trustedSpans(trust.hosts.filter(({ name }) => name === origin), joinRotations(ours, theirs));
  const signed = [];
  for (const span of spans) if ((await signaturesBy(note, span.key)).length) signed.push(span);
  if (spans.length && !signed.length) throw new BadNote("unsigned");
  const allowed = signed.filter(({ after, until }) => after < size && size <= until);
  if (signed.length && !allowed.length) throw new BadNote("rotated");
  return allowed.map(({ key }) => key);
}

/** @param {string} text */
function readProof(text) {
  const end = text.indexOf("\n\n");
  const [first, ...lines] = text.slice(0, Math.max(0, end)).split("\n");
  if (first !== FIRST_LINE) throw new BadNote("unreadable");
  const extra = lines[0]?.startsWith("extra ") ? String(lines.shift()).slice("extra ".length) : "";
  const index = lines.shift() ?? "";
  if (!index.startsWith("index ") || lines.length > MOST_HASHES) throw new BadNote("unreadable");
  return { number: readNumber(index.slice("index ".length)), hashes: lines.map(readHash), note: readNote(text.slice(end + 2)), extra };
}

/** @param {Note} note */
function readCheckpoint({ text }) {
  const lines = text.split("\n");
  if (lines.length < 4 || lines.slice(0, -1).some((line) => !line)) throw new BadNote("unreadable");
  return { origin: lines[0], size: readNumber(lines[1]), root: readHash(lines[2]) };
}

/** @param {string} text */
function readHash(text) {
  const bytes = fromBase64(text);
  if (bytes.length !== HASH_BYTES) throw new BadNote("unreadable");
  return bytes;
}

/**
 * The version of the last event that the entry covers: of a game without an end, perhaps not its last.
 * @param {Report} report
 * @param {{number: number, size: number, root: Uint8Array, hashes: Uint8Array[]}} proof
 */
function coveredVersion({ record, hashes }, proof) {
  for (let version = hashes.length; version > 0; version -= 1) {
    const digest = hex(sha256(join("cadogan/logged/1\0", fromHex(record.secret), fromHex(hashes[version - 1]))));
    const entry = canonicalJson({ digest, stream: record.stream, version });
    if (hex(rootAbove(sha256(join("\0", entry)), proof)) === hex(proof.root)) return version;
  }
  throw new BadNote("root");
}

/**
 * The root that follows from a leaf and the hashes beside its way up (RFC 6962, section 2.1.1).
 * @param {Uint8Array} leaf
 * @param {{number: number, size: number, hashes: Uint8Array[]}} proof
 */
function rootAbove(leaf, { number, size, hashes }) {
  const sides = sidesOf(number, size);
  if (sides.length !== hashes.length) throw new BadNote("length");
  return sides.reduce((below, side, index) => sha256(join("\x01", ...(side === "left" ? [hashes[index], below] : [below, hashes[index]]))), leaf);
}

/**
 * On which side of the way the other branch is, from the leaf up.
 * @param {number} number
 * @param {number} size
 * @returns {("left"|"right")[]}
 */
export function sidesOf(number, size) {
  if (number >= size) throw new BadNote("length");
  /** @type {("left"|"right")[]} */
  const sides = [];
  let [low, count] = [0, size];
  while (count > 1) {
    let half = 1;
    while (half * 2 < count) half *= 2;
    const isLeft = number < low + half;
    sides.unshift(isLeft ? "right" : "left");
    [low, count] = isLeft ? [low, half] : [low + half, count - half];
  }
  return sides;
}
