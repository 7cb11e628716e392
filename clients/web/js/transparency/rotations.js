/**
 * Rotations: notes in which the key of a host names the next one, and which trees each key may sign (docs/record.md).
 *
 * @import { Note, PublicKey } from "./notes.js"
 * @typedef {{number: number, old: PublicKey, next: PublicKey}} Rotation `number` is that of its entry in the log
 * @typedef {{key: PublicKey, after: number, until: number}} KeySpan the key may sign trees of more than `after` entries, up to `until`
 */
import { BadNote, fromBase64, LOG, readKey, readNote, signaturesBy } from "./notes.js";
import { readNumber } from "./numbers.js";

const FIRST_LINE = "cadogan key rotation 1";
const NOTE_LINES = 7;
const MOST_ROTATIONS = 1000;

/**
 * The rotations in these notes, from the first key of a log on. Every signature is checked.
 * @param {string[]} texts
 * @returns {Promise<Rotation[]>}
 * @throws {BadNote} if one is none, or does not follow from the one before it
 */
export async function readRotations(texts) {
  if (texts.length > MOST_ROTATIONS) throw new BadNote("rotation");
  /** @type {Rotation[]} */
  const found = [];
  for (const text of texts) {
    const rotation = await readRotation(text);
    const before = found.at(-1);
    if (before && (!isSame(before.next, rotation.old) || before.number >= rotation.number)) throw new BadNote("rotation");
    found.push(rotation);
  }
  return found;
}

/** The notes in the `extra` line of a proof. @param {string} packed @throws {BadNote} */
export function unpackRotations(packed) {
  let lines;
  try {
    lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(fromBase64(packed)).split("\n");
  } catch {
    throw new BadNote("rotation");
  }
  if (lines.pop() || lines.length % NOTE_LINES) throw new BadNote("rotation");
  const notes = [];
  for (let at = 0; at < lines.length; at += NOTE_LINES) notes.push([...lines.slice(at, at + NOTE_LINES), ""].join("\n"));
  return notes;
}

/**
 * The longer of two histories of the keys of one log.
 * @param {Rotation[]} one
 * @param {Rotation[]} other
 * @throws {BadNote} if they are two histories
 */
export function joinRotations(one, other) {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const isBeginning = shorter.every(({ number, old, next }, place) => {
    const its = longer[place];
    return number === its.number && isSame(old, its.old) && isSame(next, its.next);
  });
  if (!isBeginning) throw new BadNote("rotation");
  return longer;
}

/**
 * The keys that somebody may trust who trusts these: also those from and to which they were rotated.
 * @param {PublicKey[]} trusted
 * @param {Rotation[]} rotations
 * @returns {KeySpan[]}
 */
export function trustedSpans(trusted, rotations) {
  const keys = rotations.length ? [rotations[0].old, ...rotations.map(({ next }) => next)] : [];
  const numbers = [-1, ...rotations.map(({ number }) => number), Infinity];
  const chain = keys.map((key, place) => ({ key, after: numbers[place], until: numbers[place + 1] }));
  const alone = trusted.filter((key) => !keys.some((known) => isSame(known, key)));
  const without = alone.map((key) => ({ key, after: -1, until: Infinity }));
  return alone.length < trusted.length ? [...chain, ...without] : without;
}

/** @param {string} text @returns {Promise<Rotation>} */
async function readRotation(text) {
  const note = readNote(text);
  const [first, number, oldText, nextText, end, ...more] = note.text.split("\n");
  if (first !== FIRST_LINE || end !== "" || more.length || note.signatures.length !== 2) throw new BadNote("rotation");
  const [old, next] = [readKey(oldText), readKey(nextText)];
  const isOfOneLog = old.name === next.name && old.kind === LOG && next.kind === LOG && old.id !== next.id;
  if (!isOfOneLog || oldText !== oldText.trim() || nextText !== nextText.trim()) throw new BadNote("rotation");
  for (const key of [old, next]) if (!(await signaturesBy(note, key)).length) throw new BadNote("rotation");
  return { number: readNumber(number), old, next };
}

/** @param {PublicKey} one @param {PublicKey} other */
function isSame(one, other) {
  return one.name === other.name && one.kind === other.kind && one.id === other.id
    && one.bytes.every((byte, place) => byte === other.bytes[place]);
}
