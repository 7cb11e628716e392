/** What of a race is derived: the ids of its games, by its secret, and the nonce of its cards, from the texts of its players. */
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";

const BLOCK_BYTES = 64;
const ID_BYTES = 10;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/**
 * The id that follows from a secret and some parts: the first ten bytes of their HMAC-SHA256 (RFC 2104), in base32.
 * @param {string} secret in hex, at most 64 bytes
 * @param {...string} parts
 */
export function derivedId(secret, ...parts) {
  const key = new Uint8Array(BLOCK_BYTES);
  key.set(fromHex(secret));
  const inner = sha256(join(key.map((byte) => byte ^ 0x36), parts.join("\0")));
  const bytes = sha256(join(key.map((byte) => byte ^ 0x5c), inner)).slice(0, ID_BYTES);
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[parseInt(five, 2)]).join("");
}

/** The nonce of a race's cards. @param {string[]} nonces of its players, in the order of joining @returns {string} in hex */
export const sharedNonce = (nonces) => hex(sha256(join(["cadogan/race/1", ...nonces].join("\0"))));
