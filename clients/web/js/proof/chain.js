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
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.keys(value).sort(compareCodePoints).map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${entries.join(",")}}`;
}

/**
 * The hash of an event.
 * @param {string} before the hash of the event before it
 * @param {string} stream
 * @param {Omit<Recorded, "hash">} event
 */
export function eventHash(before, stream, { version, type, schema, data, recorded_at }) {
  return hex(sha256(join(fromHex(before), canonicalJson({ data, recorded_at, schema, stream, type, version }))));
}
