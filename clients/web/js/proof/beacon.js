/**
 * The public beacon: rounds of drand, of the scheme bls-unchained-g1-rfc9380, from which the cards of a day follow beside the secret.
 *
 * @typedef {{beacon_id: string, genesis_seed: string, genesis_time: number, period: number, public_key: string}} Chain
 * @typedef {{chain: Chain, round: number}} Round
 * @typedef {Round & {signature: string}} SignedRound
 */
import { fromHex, hex, join, sha256 } from "../hashing/sha256.js";
import { CannotVerify, isSigned } from "../hashing/bls.js";

const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/** The hash of the League of Entropy's chain quicknet. */
const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";

/** So many digits of a round's digest stand in a nonce, which has at most 64 characters. */
export const NONCE_DIGITS = 48;
/** The same in the nonce of an evening's deal, whose id is longer. */
export const EVENING_DIGITS = 32;
const LATEST_SECOND = 2 ** 40;
const LONGEST_PERIOD = 86400;

const isObject = (/** @type {any} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isWhole = (/** @type {any} */ value, least = 0, most = LATEST_SECOND) => Number.isSafeInteger(value) && value >= least && value <= most;
const fits = (/** @type {any} */ value, /** @type {RegExp} */ pattern) => typeof value === "string" && pattern.test(value);

/** Whether a value is a round with its chain. @param {any} value */
export function isRound(value) {
  const chain = isObject(value) ? value.chain : null;
  return isObject(chain) && isWhole(value.round, 1) && fits(chain.beacon_id, /^[!-~]{1,64}$/) && fits(chain.genesis_seed, /^[0-9a-f]{64}$/)
    && isWhole(chain.genesis_time) && isWhole(chain.period, 1, LONGEST_PERIOD) && fits(chain.public_key, /^[0-9a-f]{192}$/);
}

/** Whether a value is a round with a signature. @param {any} value */
export const isSignedRound = (value) => isRound(value) && isSignature(value.signature);

/** @param {any} value */
export const isSignature = (value) => fits(value, /^[0-9a-f]{96}$/);

/** The hash by which drand names a chain. @param {Chain} chain */
export function chainHash({ beacon_id: id, genesis_seed: seed, genesis_time: genesis, period, public_key: key }) {
  return hex(sha256(join(bigEndian(period, 4), bigEndian(genesis, 8), fromHex(key), fromHex(seed), id === "default" ? "" : id)));
}

/** What people call a chain: `quicknet` for that one, for any other its whole hash. @param {Chain} chain */
export function chainName(chain) {
  const hash = chainHash(chain);
  return hash === QUICKNET ? "quicknet" : hash;
}

/** When a day begins, in milliseconds since 1970; null if it is no day. @param {string} day */
export function dayBegins(day) {
  if (!fits(day, /^\d{4}-\d\d-\d\d$/) || day < "0001") return null;
  const moment = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== day) return null;
  return moment;
}

/** The number of the first round that is signed when a day begins, or after it; null if it is no day. @param {Chain} chain @param {string} day */
export function roundOf({ genesis_time: genesis, period }, day) {
  const moment = dayBegins(day);
  return moment === null ? null : Math.max(Math.ceil((moment / 1000 - genesis) / period), 0) + 1;
}

/** When a round is signed, in milliseconds since 1970. @param {Round} round */
export const signedAt = ({ chain, round }) => (chain.genesis_time + (round - 1) * chain.period) * 1000;

/** Whether it is the signature of the round, by the key of its chain. @param {SignedRound} signed @throws {CannotVerify} if this cannot be found out here */
export function isGenuine({ chain, round, signature }) {
  return isSigned(sha256(bigEndian(round, 8)), DOMAIN, fromHex(signature), fromHex(chain.public_key));
}

/** Whether it is the signature of the round; null if this cannot be found out here. @param {SignedRound} signed */
export async function tryIsGenuine(signed) {
  try {
    return await isGenuine(signed);
  } catch (problem) {
    if (!(problem instanceof CannotVerify)) throw problem;
    return null;
  }
}

/** What a round adds to a nonce: an at sign, and the first digits of a hash over chain and signature. @param {SignedRound} signed */
export const nonceEnd = ({ chain, signature }) =>
  `@${hex(sha256(join("cadogan/beacon/1\0", fromHex(chainHash(chain)), fromHex(signature)))).slice(0, NONCE_DIGITS)}`;

/** Whether a nonce ends with what a round adds to it, in a deal of a day or of an evening. @param {string} nonce @param {SignedRound} round */
export function isNonceEnd(nonce, round) {
  const end = nonceEnd(round);
  return [end, end.slice(0, 1 + EVENING_DIGITS)].includes(nonce.slice(nonce.indexOf("@")));
}

/** @param {number} number @param {number} length in bytes */
function bigEndian(number, length) {
  const bytes = new Uint8Array(length);
  for (let [place, rest] = [length - 1, number]; place >= 0; place -= 1, rest = Math.floor(rest / 256)) bytes[place] = rest % 256;
  return bytes;
}
