/**
 * A point of G1 that follows from a message, as in RFC 9380: the suite BLS12381G1_XMD:SHA-256_SSWU_RO_ (section 8.8.1).
 *
 * @import { Fp } from "./fields.js"
 * @import { Point } from "./curves.js"
 */
import { join, sha256 } from "../hashing/sha256.js";
import { addPoints, multiplyPoint } from "./curves.js";
import { FP, reduce } from "./fields.js";
import { A, B, X_DENOMINATOR, X_NUMERATOR, Y_DENOMINATOR, Y_NUMERATOR, Z } from "./isogeny.js";

/** So many bytes make a number modulo P: its own 48, and 16 so that every number is as likely. */
const NUMBER_BYTES = 64;
const DIGEST_BYTES = 32;
const BLOCK_BYTES = 64;

/** So many times a point of the curve is a point of G1. */
const COFACTOR = 0xd201000000010001n;

/**
 * @param {Uint8Array} message
 * @param {string} domain the domain separation tag, of at most 255 letters
 * @returns {Point<Fp>}
 */
export function hashToG1(message, domain) {
  const bytes = expand(message, domain, 2 * NUMBER_BYTES);
  const [one, other] = [0, NUMBER_BYTES].map((start) => mapToCurve(numberOf(bytes.subarray(start, start + NUMBER_BYTES))));
  return multiplyPoint(FP, addPoints(FP, one, other), COFACTOR);
}

/**
 * So many bytes from a message: expand_message_xmd, section 5.3.1.
 * @param {Uint8Array} message
 * @param {string} domain
 * @param {number} length at most 255 digests
 */
function expand(message, domain, length) {
  const tag = join(domain, Uint8Array.of(domain.length));
  const first = sha256(join(new Uint8Array(BLOCK_BYTES), message, Uint8Array.of(length >> 8, length & 0xff, 0), tag));
  /** @type {Uint8Array[]} */
  const digests = [];
  for (let number = 1; number <= Math.ceil(length / DIGEST_BYTES); number += 1) {
    const before = digests.at(-1);
    const mixed = before ? first.map((byte, place) => byte ^ before[place]) : first;
    digests.push(sha256(join(mixed, Uint8Array.of(number), tag)));
  }
  return join(...digests).subarray(0, length);
}

/** @param {Uint8Array} bytes big-endian @returns {Fp} */
function numberOf(bytes) {
  let number = 0n;
  for (const byte of bytes) number = number << 8n | BigInt(byte);
  return reduce(number);
}

/**
 * The point of G1's curve that a number is mapped to: the simplified map of Shallue, van de Woestijne and Ulas to the other curve
 * (section 6.6.2), and the isogeny from there.
 * @param {Fp} u
 * @returns {Point<Fp>}
 */
function mapToCurve(u) {
  const zuu = FP.multiply(Z, FP.multiply(u, u));
  const inverse = FP.inverse(FP.add(FP.multiply(zuu, zuu), zuu));
  const ratio = FP.multiply(reduce(-B), FP.inverse(A));
  const first = inverse === 0n ? FP.multiply(B, FP.inverse(FP.multiply(Z, A))) : FP.multiply(ratio, FP.add(1n, inverse));
  const second = FP.multiply(zuu, first);
  const root = FP.root(heightSquared(first));
  const [x, y] = root === null ? [second, /** @type {Fp} */ (FP.root(heightSquared(second)))] : [first, root];
  return carryOver(x, y % 2n === u % 2n ? y : reduce(-y));
}

/** What y² is at this x on the other curve. @param {Fp} x */
const heightSquared = (x) => FP.add(FP.multiply(FP.add(FP.multiply(x, x), A), x), B);

/** @param {Fp} x @param {Fp} y @returns {Point<Fp>} */
function carryOver(x, y) {
  const [above, below, aboveY, belowY] = [X_NUMERATOR, X_DENOMINATOR, Y_NUMERATOR, Y_DENOMINATOR].map((terms) => valueAt(terms, x));
  if (below === 0n || belowY === 0n) return null;
  return { x: FP.multiply(above, FP.inverse(below)), y: FP.multiply(y, FP.multiply(aboveY, FP.inverse(belowY))) };
}

/** The value of a polynomial. @param {Fp[]} terms @param {Fp} x */
const valueAt = (terms, x) => terms.reduceRight((sum, term) => FP.add(FP.multiply(sum, x), term), 0n);
