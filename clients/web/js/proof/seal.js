/** The commitment that binds a deal before anybody has seen a card, and the seed that its cards come from. */
import { canonicalJson } from "../hashing/canonical_json.js";
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";

/** The length of a secret in bytes. */
export const SECRET_BYTES = 32;

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

/** The nonce of a candidate for a day's deal. @param {string} deal its id @param {number} candidate from 0 @param {string} [end] what a round of the beacon adds to it */
export const dailyNonce = (deal, candidate, end = "") => `${candidate ? `${deal}/${candidate}` : deal}${end}`;

/** The seal of a certificate, which is published when its day begins. @param {string} secret in hex @param {object} certificate */
export function certificateSeal(secret, certificate) {
  return hex(sha256(join("cadogan/certificate/1\0", fromHex(secret), canonicalJson(certificate))));
}
