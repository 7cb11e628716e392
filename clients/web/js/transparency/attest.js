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
 * @property {string[]} skipped the names of trusted witnesses whose signatures cannot be checked here: they sign by ML-DSA-44
 * @property {boolean} [unchecked] this browser cannot check signatures, so that nothing was shown
 */
import { canonicalJson } from "../hashing/canonical_json.js";
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";
import { BadNote, CannotCheckSignatures, fromBase64, LOG, ML_DSA_WITNESS, namesSigner, readKey, readNote, seenAt, signaturesBy } from "./notes.js";
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
  if (typeof proof !== "string" || report.findings.length) return { report, attestation: null };
  try {
    const { record: { stream, secret, events }, hashes } = report;
    const attestation = await check(proof, endsOf(stream, secret, events, hashes), trust);
    return { report: withLog(report, attestation, hashes.length), attestation };
  } catch (problem) {
    return { report: brokenBy(report, problem), attestation: null };
  }
}

/**
 * A report on the record of a day with what its proofs show. A proof that is wrong is one more finding.
 * @template {{findings: import("../proof/verify.js").Finding[], checks: Report["checks"]}} Checked
 * @param {Checked} report
 * @param {import("../proof/day.js").DayRecord} record
 * @param {Trust} trust
 */
export const attestDay = (report, record, trust) => attestStream(`daily/${record.day}`, report, record, trust, announcementOfDay);

/**
 * A report on the record of a race with what its proof shows. A proof that is wrong is one more finding.
 * @param {import("../proof/race.js").RaceReport} report
 * @param {import("../proof/race.js").RaceRecord} record
 * @param {Trust} trust
 */
export const attestRace = (report, record, trust) => attestStream(`match/${record.race}`, report, record, trust);

/**
 * The same of an evening, with what the proof of its announcement shows.
 * @param {import("../proof/evening/evening.js").EveningReport} report
 * @param {import("../proof/evening/evening.js").EveningRecord} record
 * @param {Trust} trust
 */
export const attestEvening = (report, record, trust) => attestStream(`evening/${record.evening}`, report, record, trust, announcementOfEvening);

/**
 * @template {{findings: import("../proof/verify.js").Finding[], checks: Report["checks"]}} Checked
 * @param {string} stream
 * @param {Checked} report
 * @param {{proof?: string|null, announcement?: string|null, events: import("../proof/chain.js").Recorded[]}} record whose hashes are right
 * @param {Trust} trust
 * @param {(stream: string, first: import("../proof/chain.js").Recorded) => Record<string, string|number>} [announcementOf] the entry of its announcement
 * @returns {Promise<{report: Checked, attestation: Attestation|null, dated: Attestation|null}>} `dated` is what the proof of the announcement
 *   shows, if there is one: its witnesses date the announcement
 */
async function attestStream(stream, report, { proof, announcement, events }, trust, announcementOf) {
  if (report.findings.length) return { report, attestation: null, dated: null };
  try {
    const attestation = typeof proof === "string" ? await check(proof, endsOf(stream, "", events, events.map(({ hash }) => hash)), trust) : null;
    const first = { version: 1, at: events[0].recorded_at, entry: announcementOf?.(stream, events[0]) ?? {} };
    const dated = announcementOf && typeof announcement === "string" ? await check(announcement, [first], trust) : null;
    return { report: withLog(report, attestation, events.length), attestation, dated };
  } catch (problem) {
    return { report: brokenBy(report, problem), attestation: null, dated: null };
  }
}

/** The entry of the announcement of an evening. @param {string} stream @param {import("../proof/chain.js").Recorded} first */
const announcementOfEvening = (stream, { recorded_at: at, hash }) => ({ at, digest: digestOf("", hash), stream, version: 1 });

/** The same of a day. @param {string} stream @param {import("../proof/chain.js").Recorded} first */
const announcementOfDay = (stream, first) => ({ ...announcementOfEvening(stream, first), commitment: first.data.commitment, type: first.type });

/**
 * A report that says whether the log has the record.
 * @template {{checks: Report["checks"]}} Checked
 * @param {Checked} report
 * @param {Attestation|null} attestation
 * @param {number} count of its events
 * @returns {Checked}
 */
function withLog(report, attestation, count) {
  if (!attestation?.key) return report;
  return { ...report, checks: { ...report.checks, log: attestation.version === count ? "holds" : "partly" } };
}

/**
 * A report with the finding that a proof is wrong. Throws what is another problem.
 * @template {{checks: Report["checks"]}} Checked
 * @param {Checked} report
 * @param {unknown} problem
 * @returns {Checked}
 */
function brokenBy(report, problem) {
  if (!(problem instanceof BadNote)) throw problem;
  const finding = { version: 0, check: /** @type {const} */ ("log"), reason: problem.reason };
  return { ...report, findings: [finding], checks: { ...report.checks, log: "broken" } };
}

/** The keys that a server names at `/.well-known/cadogan.json`. @param {any} host @returns {Trust} @throws {BadNote} */
export function trustIn(host) {
  const keys = [...host?.keys ?? [], ...host?.witnesses ?? []].map((key) => readKey(String(key)));
  const rotations = (host?.rotations ?? []).map(String);
  return { hosts: keys.filter(({ kind }) => kind === LOG), witnesses: keys.filter(({ kind }) => kind !== LOG), rotations };
}

/**
 * An entry that a proof may be about: the version of the event, its time, and the entry.
 * @typedef {{version: number, at: number, entry: Record<string, string|number>}} Candidate
 */

/** @param {string} text @param {Iterable<Candidate>} candidates @param {Trust} trust @returns {Promise<Attestation>} */
async function check(text, candidates, trust) {
  const { number, hashes, note, extra } = readProof(text);
  const { origin, size, root } = readCheckpoint(note);
  const { version, at } = covered(candidates, { number, size, root, hashes });
  const place = { origin, number, size, version };
  const endedAt = Math.floor(at / 1000);
  try {
    return { ...place, ...await checkSignatures(note, { origin, size, extra, endedAt }, trust) };
  } catch (problem) {
    if (!(problem instanceof CannotCheckSignatures)) throw problem;
    return { ...place, key: null, witnesses: [], skipped: [], unchecked: true };
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
  const skipped = [];
  for (const key of trust.witnesses) {
    if (key.kind === ML_DSA_WITNESS) {
      if (signed.length && namesSigner(note, key)) skipped.push(key.name);
      continue;
    }
    for (const signature of await signaturesBy(note, key)) witnesses.push({ name: key.name, at: seenAt(signature) });
  }
  if (witnesses.some(({ at }) => at + CLOCKS_SECONDS < checkpoint.endedAt)) throw new BadNote("early");
  return { key: signed[0] ?? null, witnesses: signed.length ? witnesses : [], skipped };
}

/**
 * The host's keys that are trusted and have signed a checkpoint; none if no key of this log is trusted.
 * @param {Note} note
 * @param {{origin: string, size: number, extra: string}} checkpoint
 * @param {Trust} trust
 */
export async function findSigners(note, { origin, size, extra }, trust) {
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
export function readCheckpoint({ text }) {
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

/** The digest of an event's hash in an entry. @param {string} secret @param {string} hash */
const digestOf = (secret, hash) => hex(sha256(join("cadogan/logged/1\0", fromHex(secret), fromHex(hash))));

/**
 * The entries that say where a stream has ended, the last first.
 * @param {string} stream
 * @param {string} secret
 * @param {import("../proof/chain.js").Recorded[]} events
 * @param {string[]} hashes of them
 * @returns {Iterable<Candidate>}
 */
function* endsOf(stream, secret, events, hashes) {
  for (let version = hashes.length; version > 0; version -= 1) {
    yield { version, at: events[version - 1].recorded_at, entry: { digest: digestOf(secret, hashes[version - 1]), stream, version } };
  }
}

/**
 * The entry that the proof is about: of a game without an end, perhaps not that of its last event.
 * @param {Iterable<Candidate>} candidates
 * @param {{number: number, size: number, root: Uint8Array, hashes: Uint8Array[]}} proof
 */
function covered(candidates, proof) {
  for (const candidate of candidates) {
    if (hex(rootAbove(sha256(join("\0", canonicalJson(candidate.entry))), proof)) === hex(proof.root)) return candidate;
  }
  throw new BadNote("root");
}

/**
 * The root that follows from a leaf and the hashes beside its way up (RFC 6962, section 2.1.1).
 * @param {Uint8Array} leaf
 * @param {{number: number, size: number, hashes: Uint8Array[]}} proof
 */
export function rootAbove(leaf, { number, size, hashes }) {
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
