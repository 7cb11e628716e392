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
import { canonicalJson } from "../hashing/canonical_json.js";
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";

/** The hash before the first event. */
export const START = "0".repeat(64);

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
