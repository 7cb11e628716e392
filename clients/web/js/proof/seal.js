/** What follows from a secret: the commitment that binds a deal before anybody has seen a card, the seed of its cards, and the ids of a race's games. */
import { canonicalJson } from "../hashing/canonical_json.js";
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";

/** The length of a secret in bytes. */
export const SECRET_BYTES = 32;
const BLOCK_BYTES = 64;
const ID_BYTES = 10;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

/** The commitment that is published before the first card. @param {string} secret in hex @returns {string} in hex */
export function commitment(secret) {
  return hex(sha256(join("cadogan/commitment/1\0", fromHex(secret))));
}

/**
 * The seed from which a game's cards are shuffled.
 * @param {string} game the slug of its rules
 * @param {string} nonce
 * @param {string} secret in hex
 * @returns {string} in hex
 */
export function seed(game, nonce, secret) {
  return hex(sha256(join("cadogan/seed/1\0", game, "\0", nonce, "\0", fromHex(secret))));
}

/**
 * The nonce of a candidate.
 * @param {string} deal the id of a day's deal, or the nonce of a casual game
 * @param {number} candidate from 0
 * @param {string} [end] what a round of the beacon adds to it
 */
export const dailyNonce = (deal, candidate, end = "") => `${candidate ? `${deal}/${candidate}` : deal}${end}`;

/** The seal of a certificate, which is published when its day begins. @param {string} secret in hex @param {object} certificate */
export function certificateSeal(secret, certificate) {
  return hex(sha256(join("cadogan/certificate/1\0", fromHex(secret), canonicalJson(certificate))));
}

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
