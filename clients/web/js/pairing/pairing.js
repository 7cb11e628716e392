/**
 * The optimal Ate pairing on BLS12-381, only to compare two pairings: draft-irtf-cfrg-pairing-friendly-curves, appendix A (Miller's
 * loop for curves of the family BLS12).
 *
 * A pairing is an element of Fp12, here a polynomial of degree 11 in w over Fp, the lowest power first. There w⁶ = 1 + u, and so
 * w¹² = 2w⁶ - 2.
 *
 * @import { Fp, Fp2 } from "./fields.js"
 * @import { Point } from "./curves.js"
 * @typedef {Fp[]} Fp12
 */
import { chord, meet, tangent } from "./curves.js";
import { FP2, ORDER, P, reduce } from "./fields.js";

const DEGREE = 12;

/** So many bits of an exponent are worked off between two pauses. */
const BITS_AT_ONCE = 256;

/** The parameter x of the curve, without its sign: for the inverse of both pairings the comparison is the same. */
const LOOP = 0xd201000000010000n;

/**
 * Whether the pairings of these points have the product 1. An element f of Fp12 is a pairing only after the power
 * (p¹² - 1) / r = (p⁶ - 1) · (p⁶ + 1) / r, which is 1 exactly if f to the power (p⁶ + 1) / r is in Fp6, the even powers of w.
 * @param {[Point<Fp>, Point<Fp2>][]} pairs points of G1 and G2
 * @param {() => Promise<unknown>} pause awaited now and then
 */
export async function isProductOne(pairs, pause) {
  const product = millerLoop(pairs.flatMap(([one, other]) => (one && other ? [{ one, other, sum: other }] : [])));
  const reduced = await power(product, (P ** 6n + 1n) / ORDER, pause);
  return reduced.every((term, place) => place % 2 === 0 || term === 0n);
}

/**
 * The product of Miller's functions. A line may be multiplied by an element of Fp6 or by w³, which the power above takes to Fp6.
 * @param {{one: {x: Fp, y: Fp}, other: {x: Fp2, y: Fp2}, sum: {x: Fp2, y: Fp2}}[]} pairs
 * @returns {Fp12}
 */
function millerLoop(pairs) {
  /** @type {Fp12} */
  let product = [1n, ...Array(DEGREE - 1).fill(0n)];
  for (const bit of LOOP.toString(2).slice(1)) {
    product = multiply(product, product);
    for (const pair of pairs) {
      const slope = tangent(FP2, pair.sum);
      product = multiply(product, lineAt(pair.one, pair.sum, slope));
      pair.sum = meet(FP2, pair.sum, pair.sum, slope);
      if (bit === "0") continue;
      const across = chord(FP2, pair.sum, pair.other);
      product = multiply(product, lineAt(pair.one, pair.sum, across));
      pair.sum = meet(FP2, pair.sum, pair.other, across);
    }
  }
  return product;
}

/**
 * The value, times w³, at a point of G1 of the line with this slope through a point of G2. The curve of G2 is a twist: its point (x, y)
 * stands for (x / w², y / w³), and a slope for slope / w.
 * @param {{x: Fp, y: Fp}} at
 * @param {{x: Fp2, y: Fp2}} through
 * @param {Fp2} slope
 * @returns {Fp12}
 */
function lineAt(at, { x, y }, slope) {
  const [a, b] = FP2.subtract(FP2.multiply(slope, x), y);
  const [c, d] = FP2.multiply(slope, [reduce(-at.x), 0n]);
  return [reduce(a - b), 0n, reduce(c - d), at.y, 0n, 0n, b, 0n, d, 0n, 0n, 0n];
}

/** @param {Fp12} one @param {Fp12} other @returns {Fp12} */
function multiply(one, other) {
  /** @type {bigint[]} */
  const terms = Array(2 * DEGREE - 1).fill(0n);
  for (let left = 0; left < DEGREE; left += 1) {
    if (one[left] === 0n) continue;
    for (let right = 0; right < DEGREE; right += 1) {
      if (other[right] !== 0n) terms[left + right] += one[left] * other[right];
    }
  }
  for (let place = 2 * DEGREE - 2; place >= DEGREE; place -= 1) {
    terms[place - DEGREE / 2] += 2n * terms[place];
    terms[place - DEGREE] -= 2n * terms[place];
  }
  return terms.slice(0, DEGREE).map(reduce);
}

/** @param {Fp12} base @param {bigint} exponent @param {() => Promise<unknown>} pause */
async function power(base, exponent, pause) {
  let result = base;
  for (const [place, bit] of [...exponent.toString(2)].slice(1).entries()) {
    if (place % BITS_AT_ONCE === 0) await pause();
    result = multiply(result, result);
    if (bit === "1") result = multiply(result, base);
  }
  return result;
}
