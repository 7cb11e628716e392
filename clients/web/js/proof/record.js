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
 * @property {Recorded[]} events
 */

export const FORMAT = "cadogan record 1";

/** A text that is not a valid record. `place` names the part that is wrong. */
export class InvalidRecord extends Error {
  /** @param {string} place */
  constructor(place) {
    super(place);
    this.place = place;
  }
}

const HEX = /^(?:[0-9a-f]{2})*$/;
const DIGEST = /^[0-9a-f]{64}$/;
const LARGEST_VERSION = 2 ** 31 - 1;

const isText = (/** @type {unknown} */ value, longest = Infinity) =>
  typeof value === "string" && value.length >= 1 && value.length <= longest;
const isMap = (/** @type {unknown} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isCount = (/** @type {unknown} */ value, most = Number.MAX_SAFE_INTEGER) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= most;

/**
 * The record in a file's text.
 * @param {string} text
 * @returns {GameRecord}
 * @throws {InvalidRecord}
 */
export function readRecord(text) {
  const record = parse(text);
  const must = (/** @type {boolean} */ holds, /** @type {string} */ place) => {
    if (!holds) throw new InvalidRecord(place);
  };
  must(isMap(record) && record.format === FORMAT, "format");
  must(isText(record.game, 64), "game");
  must(isText(record.stream), "stream");
  must(typeof record.secret === "string" && HEX.test(record.secret), "secret");
  must(isText(record.nonce) && [...record.nonce].length <= 64 && !/\p{Cc}/u.test(record.nonce.replace(/[\u0080-\u009f]/g, "")), "nonce");
  must(isText(record.commitment) && DIGEST.test(record.commitment), "commitment");
  must(Array.isArray(record.events), "events");
  record.events.forEach((/** @type {any} */ event, /** @type {number} */ index) => {
    const sound = isMap(event) && isCount(event.version, LARGEST_VERSION) && typeof event.type === "string" && isMap(event.data)
      && Number.isSafeInteger(event.schema) && isCount(event.recorded_at) && isText(event.hash) && DIGEST.test(event.hash);
    must(sound, `events[${index}]`);
  });
  return record;
}

/** JSON in which every number is an integer, written as one. @param {string} text @returns {any} */
function parse(text) {
  if (/\d[.eE]/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))) throw new InvalidRecord("numbers");
  try {
    return JSON.parse(text, (_, value) => {
      if (typeof value === "number" && !Number.isSafeInteger(value)) throw new InvalidRecord("numbers");
      return value;
    });
  } catch (problem) {
    throw problem instanceof InvalidRecord ? problem : new InvalidRecord("json");
  }
}
