/**
 * Signed notes and public keys, as C2SP `signed-note` and `tlog-cosignature` describe them (docs/record.md).
 *
 * @typedef {{name: string, kind: number, id: string, bytes: Uint8Array}} PublicKey `id` in hex
 * @typedef {{name: string, id: string, value: Uint8Array}} Signature
 * @typedef {{text: string, signatures: Signature[]}} Note `text` ends with the end of a line
 */
import { hex, join, sha256 } from "../hashing/sha256.js";

export const LOG = 1;
export const WITNESS = 4;
/** The kind of a witness that signs by ML-DSA-44, which browsers do not know: its signatures are skipped, and the page names it. */
export const ML_DSA_WITNESS = 6;
const LONGEST_NOTE = 64 * 1024;
/** The bytes of a public key of each kind. @type {Record<number, number>} */
const KEY_BYTES = { [LOG]: 32, [WITNESS]: 32, [ML_DSA_WITNESS]: 1312 };
const ID_BYTES = 4;
const TIME_BYTES = 8;
const LINE_START = "\u2014 ";
/** The names of keys in signatures, as Go's `note` package has them. */
const NAME = /^[^\p{White_Space}+\0-\x1f]+$/u;

/** A text that is no key, note or proof. `reason` is a word of `audit.found_log_…`. */
export class BadNote extends Error {
  /** @param {string} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** This browser cannot check signatures: it does so only for pages that come over HTTPS, or from the same machine. */
export class CannotCheckSignatures extends Error {}

/** The bytes that a text in base64 stands for; each has one text. @param {string} text @throws {BadNote} */
export function fromBase64(text) {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (toBase64(bytes) === text) return bytes;
  } catch {
    // said below
  }
  throw new BadNote("unreadable");
}

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes));
}

/** The public key in a text. @param {string} text @returns {PublicKey} @throws {BadNote} */
export function readKey(text) {
  const [name, id, ...rest] = text.trim().split("+");
  const bytes = fromBase64(rest.join("+"));
  const kind = bytes[0];
  const ours = hex(sha256(join(`${name}\n`, bytes))).slice(0, 2 * ID_BYTES);
  if (!name || /[\p{C}\p{Z}]/u.test(name) || bytes.length - 1 !== KEY_BYTES[kind] || ours !== id) throw new BadNote("key");
  return { name, kind, id, bytes: bytes.slice(1) };
}

/** The note in a text; its signatures are not checked. @param {string} text @returns {Note} @throws {BadNote} */
export function readNote(text) {
  const end = text.lastIndexOf("\n\n");
  if (text.length > LONGEST_NOTE || end < 0 || !text.endsWith("\n") || end + 2 === text.length) throw new BadNote("unreadable");
  const body = text.slice(0, end + 1);
  if (/[\0-\x09\x0b-\x1f]/.test(body)) throw new BadNote("unreadable");
  return { text: body, signatures: text.slice(end + 2, -1).split("\n").map(readSignature) };
}

/** @param {string} line @returns {Signature} */
function readSignature(line) {
  const space = line.indexOf(" ", LINE_START.length);
  const name = line.slice(LINE_START.length, space);
  if (!line.startsWith(LINE_START) || space < 0 || !NAME.test(name)) throw new BadNote("unreadable");
  const raw = fromBase64(line.slice(space + 1));
  if (raw.length <= ID_BYTES) throw new BadNote("unreadable");
  return { name, id: hex(raw.slice(0, ID_BYTES)), value: raw.slice(ID_BYTES) };
}

/** Whether a note has a signature that claims to be by this key. @param {Note} note @param {PublicKey} key */
export const namesSigner = ({ signatures }, key) => signatures.some(({ name, id }) => name === key.name && id === key.id);

/**
 * The signatures of a note by this key, which is none of ML-DSA-44. Each is checked.
 * @param {Note} note
 * @param {PublicKey} key
 * @returns {Promise<Signature[]>}
 * @throws {BadNote} for a signature that does not fit
 * @throws {CannotCheckSignatures}
 */
export async function signaturesBy({ text, signatures }, key) {
  const found = signatures.filter(({ name, id }) => name === key.name && id === key.id);
  for (const { value } of found) if (!await hasSigned(key, value, text)) throw new BadNote("signature");
  return found;
}

/** The end of the year 9999, in seconds since 1970: what a page can still write as a date. */
const LAST_SECOND = 253_402_300_799;

/** When a witness has seen the checkpoint, in seconds since 1970, and the end of the year 9999 if that is later. @param {Signature} signature */
export function seenAt({ value }) {
  return Math.min(LAST_SECOND, Number(new DataView(value.buffer, value.byteOffset, TIME_BYTES).getBigUint64(0)));
}

/** @param {PublicKey} key @param {Uint8Array} value @param {string} text */
async function hasSigned(key, value, text) {
  if (key.kind === LOG) return isSignature(key, value, text);
  if (value.length <= TIME_BYTES) return false;
  const time = new DataView(value.buffer, value.byteOffset, TIME_BYTES).getBigUint64(0);
  return isSignature(key, value.slice(TIME_BYTES), `cosignature/v1\ntime ${time}\n${text}`);
}

/** @param {PublicKey} key @param {Uint8Array} signature @param {string} message */
async function isSignature({ bytes }, signature, message) {
  if (!globalThis.crypto?.subtle) throw new CannotCheckSignatures();
  const key = await crypto.subtle.importKey("raw", /** @type {BufferSource} */ (bytes), "Ed25519", false, ["verify"]);
  return crypto.subtle.verify("Ed25519", key, /** @type {BufferSource} */ (signature), new TextEncoder().encode(message));
}
