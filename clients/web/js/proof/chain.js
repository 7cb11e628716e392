/**
 * The hash chain that binds every event of a game to all events before it.
 *
 * @typedef {Object} Recorded an event as a record holds it
 * @property {number} version
 * @property {string} type
 * @property {number} schema
 * @property {Record<string, any>} data
 * @property {number} recorded_at
 * @property {string} hash
 */
import { fromHex, hex, join, sha256 } from "./sha256.js";

/** The hash before the first event. */
export const START = "0".repeat(64);

/** The order of two texts by code points, which is the order of their bytes in UTF-8. @param {string} one @param {string} other */
function compareCodePoints(one, other) {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((letter, index) => letter !== right[index]);
  if (at < 0) return left.length - right.length;
  return at >= right.length ? 1 : Number(left[at].codePointAt(0)) - Number(right[at].codePointAt(0));
}

/** JSON with sorted keys and without spaces. @param {any} value @returns {string} */
export function canonicalJson(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const one of value) text += `${text && ","}${canonicalJson(one)}`;
    return `[${text}]`;
  }
  for (const key of sortedKeys(value)) text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
  return `{${text}}`;
}

/** The keys in the order of their bytes; without a surrogate that is the order of their UTF-16 units. @param {object} value */
function sortedKeys(value) {
  const keys = Object.keys(value);
  return keys.some((key) => /[^\0-\ud7ff]/.test(key)) ? keys.sort(compareCodePoints) : keys.sort();
}

/**
 * The hash of an event.
 * @param {string} before the hash of the event before it
 * @param {string} stream
 * @param {Omit<Recorded, "hash">} event
 */
export function eventHash(before, stream, event) {
  return hex(eventDigest(fromHex(before), stream, event, event.version));
}

/**
 * The hash of an event, as bytes.
 * @param {Uint8Array} before
 * @param {string} stream
 * @param {Omit<Recorded, "hash">} event
 * @param {number} version
 */
function eventDigest(before, stream, { type, schema, data, recorded_at }, version) {
  const head = `{"data":${canonicalJson(data)},"recorded_at":${recorded_at},"schema":${schema}`;
  return sha256(before, `${head},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)},"version":${version}}`);
}

/**
 * The hashes of events, each computed from the hash that the record gives to the event before it.
 * @param {string} stream
 * @param {Recorded[]} events
 * @returns {string[]}
 */
export function eventHashes(stream, events) {
  /** @type {Uint8Array} */
  let before = fromHex(START);
  return events.map((event, index) => {
    const digest = eventDigest(before, stream, event, index + 1);
    const hash = hex(digest);
    before = hash === event.hash ? digest : fromHex(event.hash);
    return hash;
  });
}
