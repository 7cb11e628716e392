/**
 * The fields under the curve BLS12-381 (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1): Fp, the numbers modulo a prime, and
 * Fp2, whose elements a + bu have u² = -1.
 *
 * Nothing here is secret, so nothing takes care to run in constant time. Do not sign with it.
 *
 * @typedef {bigint} Fp from 0 to P - 1
 * @typedef {readonly [Fp, Fp]} Fp2
 */

/** The prime: all coordinates are numbers modulo it. */
export const P = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** The size of the two groups of points that are paired, a prime. */
export const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** How many bytes a number has in a file. */
export const FP_BYTES = 48;

/** The number modulo P, from 0. @param {bigint} number @returns {Fp} */
export function reduce(number) {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}

/** @param {Fp} base @param {bigint} exponent @returns {Fp} */
function power(base, exponent) {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = result * result % P;
    if (bit === "1") result = result * base % P;
  }
  return result;
}

/** The number whose product with this one is 1, by the extended Euclidean algorithm; that of 0 is 0. @param {Fp} number @returns {Fp} */
function inverse(number) {
  let [rest, before, factor, factorBefore] = [number, P, 1n, 0n];
  while (rest !== 0n) {
    const times = before / rest;
    [rest, before] = [before - times * rest, rest];
    [factor, factorBefore] = [factorBefore - times * factor, factor];
  }
  return number === 0n ? 0n : reduce(factorBefore);
}

/** A square root, or null if there is none. P is 3 modulo 4, so a power gives it. @param {Fp} number @returns {Fp|null} */
function root(number) {
  const found = power(number, (P + 1n) / 4n);
  return found * found % P === number ? found : null;
}

/**
 * What a field can do, so that the same formulas hold for points over both.
 * @template Element
 * @typedef {Object} Field
 * @property {(one: Element, other: Element) => Element} add
 * @property {(one: Element, other: Element) => Element} subtract
 * @property {(one: Element, other: Element) => Element} multiply
 * @property {(one: Element) => Element} inverse that of zero is zero
 * @property {(one: Element) => Element|null} root a square root, or null if there is none
 * @property {(one: Element) => boolean} isZero
 * @property {(number: bigint) => Element} of an element that is a number
 * @property {(one: Element) => Fp[]} parts the numbers that it is made of, the most significant first
 */

/** @type {Field<Fp>} */
export const FP = {
  add: (one, other) => (one + other) % P,
  subtract: (one, other) => reduce(one - other),
  multiply: (one, other) => one * other % P,
  inverse,
  root,
  isZero: (one) => one === 0n,
  of: reduce,
  parts: (one) => [one],
};

/** @type {Field<Fp2>} */
export const FP2 = {
  add: ([a, b], [c, d]) => [(a + c) % P, (b + d) % P],
  subtract: ([a, b], [c, d]) => [reduce(a - c), reduce(b - d)],
  multiply: ([a, b], [c, d]) => [reduce(a * c - b * d), (a * d + b * c) % P],
  inverse([a, b]) {
    const norm = inverse((a * a + b * b) % P);
    return [a * norm % P, reduce(-b * norm)];
  },
  root: rootOfPair,
  isZero: ([a, b]) => a === 0n && b === 0n,
  of: (number) => [reduce(number), 0n],
  parts: ([a, b]) => [b, a],
};

/**
 * A square root x + yu of a + bu: x² - y² = a and 2xy = b, so x² is half of a + √(a² + b²), for one of the two signs of this root.
 * @param {Fp2} number
 * @returns {Fp2|null}
 */
function rootOfPair([a, b]) {
  if (b === 0n) {
    const real = root(a);
    return real === null ? [0n, /** @type {Fp} */ (root(reduce(-a)))] : [real, 0n];
  }
  const norm = root((a * a + b * b) % P);
  if (norm === null) return null;
  const half = inverse(2n);
  for (const sign of [norm, P - norm]) {
    const x = root((a + sign) * half % P);
    if (x !== null) return [x, b * half % P * inverse(x) % P];
  }
  return null;
}
