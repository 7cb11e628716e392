/**
 * Reads a record's file carefully, because whoever made it may want to deceive.
 *
 * @typedef {import("./chain.js").Recorded} Recorded
 * @typedef {Object} GameRecord
 * @property {string} game
 * @property {string} stream
 * @property {string} secret
 * @property {string} nonce
 * @property {string} commitment
 * @property {string|null} [proof] that it is in the log of a server
 * @property {import("./beacon.js").SignedRound|null} [beacon] from which the cards follow beside the secret
 * @property {Recorded[]} events
 */

import { isSignedRound } from "./beacon.js";
import { readJson, UnreadableJson } from "./json.js";

export const FORMAT = "cadogan record 1";

/** A text that is not a valid record. `place` names the part that is wrong. */
export class InvalidRecord extends Error {
  /** @param {string} place */
  constructor(place) {
    super(place);
    this.place = place;
  }
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const HEX = /^(?:[0-9a-f]{2})*$/;
const DIGEST = /^[0-9a-f]{64}$/;
const LONGEST_NONCE = 64;
const LARGEST_VERSION = 2 ** 31 - 1;

const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isMap = (/** @type {unknown} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isCount = (/** @type {unknown} */ value, most = Number.MAX_SAFE_INTEGER) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most;

/**
 * The record in a file.
 * @param {ArrayBuffer|Uint8Array|string} file its bytes, or its text
 * @returns {GameRecord}
 * @throws {InvalidRecord}
 */
export function readRecord(file) {
  const record = readFile(file, FORMAT);
  must(isText(record.game) && ID.test(record.game), "game");
  must(isText(record.stream), "stream");
  must(typeof record.secret === "string" && HEX.test(record.secret), "secret");
  must(isText(record.nonce) && isNonce(record.nonce), "nonce");
  must(isText(record.commitment) && DIGEST.test(record.commitment), "commitment");
  must(record.beacon === undefined || record.beacon === null || isSignedRound(record.beacon), "beacon");
  must(record.proof === undefined || record.proof === null || isText(record.proof), "proof");
  requireEvents(record.events);
  return record;
}

/**
 * The object in a file of this format.
 * @param {ArrayBuffer|Uint8Array|string} file its bytes, or its text
 * @param {string} format
 * @returns {any}
 * @throws {InvalidRecord}
 */
export function readFile(file, format) {
  const record = parse(typeof file === "string" ? file : decode(file));
  must(isMap(record) && record.format === format, "format");
  return record;
}

/** Check that these are events as a record has them. @param {any} events @throws {InvalidRecord} */
export function requireEvents(events) {
  must(Array.isArray(events), "events");
  events.forEach((/** @type {any} */ event, /** @type {number} */ index) => {
    const sound = isMap(event) && isCount(event.version, LARGEST_VERSION) && typeof event.type === "string" && isMap(event.data)
      && Number.isSafeInteger(event.schema) && isCount(event.recorded_at) && isText(event.hash) && DIGEST.test(event.hash);
    must(sound, `events[${index}]`);
  });
}

/** Throws InvalidRecord unless something holds. @param {boolean} holds @param {string} place */
export function must(holds, place) {
  if (!holds) throw new InvalidRecord(place);
}

/** Whether a text has from 1 to 64 characters, and no control character. @param {string} text */
const isNonce = (text) => text.length >= 1 && [...text].length <= LONGEST_NONCE && !/[\0-\x1f\x7f]/.test(text);

/** @param {string} text @returns {any} */
function parse(text) {
  try {
    return readJson(text);
  } catch (problem) {
    throw problem instanceof UnreadableJson ? new InvalidRecord(problem.part) : problem;
  }
}

/** @param {ArrayBuffer|Uint8Array} bytes */
export function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new InvalidRecord("utf-8");
  }
}
