/**
 * Points of BLS12-381: G1 on y² = x³ + 4 over Fp, and G2 on y² = x³ + 4(1 + u) over Fp2, in affine coordinates.
 *
 * Sources: draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1 (the curves and their base points) and appendix C (points as bytes).
 *
 * @import { Field, Fp, Fp2 } from "./fields.js"
 */
import { FP, FP2, FP_BYTES, ORDER, P } from "./fields.js";

/**
 * A point; null is the point at infinity.
 * @template Element
 * @typedef {{x: Element, y: Element}|null} Point
 */

/**
 * A group of points: its field, the term without x in the equation of its curve, and how many numbers make a coordinate.
 * @template Element
 * @typedef {{field: Field<Element>, constant: Element, numbers: number, make: (parts: Fp[]) => Element}} Group
 */

/** @type {Group<Fp>} */
export const G1 = { field: FP, constant: 4n, numbers: 1, make: ([only]) => only };

/** @type {Group<Fp2>} */
export const G2 = { field: FP2, constant: [4n, 4n], numbers: 2, make: ([high, low]) => [low, high] };

/** The base point of G2. @type {Point<Fp2>} */
export const G2_BASE = {
  x: [
    0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
    0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
  ],
  y: [
    0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n,
    0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben,
  ],
};

/** The slope of the curve at a point. @template Element @param {Field<Element>} field @param {{x: Element, y: Element}} point @returns {Element} */
export function tangent(field, { x, y }) {
  return field.multiply(field.multiply(field.of(3n), field.multiply(x, x)), field.inverse(field.add(y, y)));
}

/** The slope of the line through two points. @template Element @param {Field<Element>} field @param {{x: Element, y: Element}} one @param {{x: Element, y: Element}} other @returns {Element} */
export function chord(field, one, other) {
  return field.multiply(field.subtract(other.y, one.y), field.inverse(field.subtract(other.x, one.x)));
}

/**
 * The sum of two points of which the line through them, or the tangent, has this slope.
 * @template Element
 * @param {Field<Element>} field
 * @param {{x: Element, y: Element}} one
 * @param {{x: Element, y: Element}} other
 * @param {Element} slope
 * @returns {{x: Element, y: Element}}
 */
export function meet(field, one, other, slope) {
  const x = field.subtract(field.subtract(field.multiply(slope, slope), one.x), other.x);
  return { x, y: field.subtract(field.multiply(slope, field.subtract(one.x, x)), one.y) };
}

/** The sum of two points. @template Element @param {Field<Element>} field @param {Point<Element>} one @param {Point<Element>} other @returns {Point<Element>} */
export function addPoints(field, one, other) {
  if (one === null) return other;
  if (other === null) return one;
  if (!field.isZero(field.subtract(one.x, other.x))) return meet(field, one, other, chord(field, one, other));
  return field.isZero(field.add(one.y, other.y)) ? null : meet(field, one, one, tangent(field, one));
}

/** So many times a point. @template Element @param {Field<Element>} field @param {Point<Element>} point @param {bigint} times @returns {Point<Element>} */
export function multiplyPoint(field, point, times) {
  /** @type {Point<Element>} */
  let result = null;
  for (const bit of times.toString(2)) {
    result = addPoints(field, result, result);
    if (bit === "1") result = addPoints(field, result, point);
  }
  return result;
}

/** The point on the other side of the x axis. @param {Point<Fp>} point @returns {Point<Fp>} */
export const negate = (point) => point && { x: point.x, y: FP.subtract(0n, point.y) };

/**
 * The point of a group in its compressed form; null if these bytes are no point of the group, or the point at infinity, which no
 * honest key or signature is.
 * @template Element
 * @param {Group<Element>} group
 * @param {Uint8Array} bytes
 * @returns {Point<Element>}
 */
export function readPoint({ field, constant, numbers, make }, bytes) {
  if (bytes.length !== numbers * FP_BYTES) return null;
  const [isCompressed, isInfinite, isUpper] = [0x80, 0x40, 0x20].map((flag) => (bytes[0] & flag) !== 0);
  if (!isCompressed || isInfinite) return null;
  const parts = Array.from({ length: numbers }, (_, place) => readNumber(bytes.subarray(place * FP_BYTES, (place + 1) * FP_BYTES), place === 0));
  if (parts.some((part) => part >= P)) return null;
  const x = make(parts);
  const root = field.root(field.add(field.multiply(field.multiply(x, x), x), constant));
  if (root === null) return null;
  const y = isLarger(field.parts(root)) === isUpper ? root : field.subtract(field.of(0n), root);
  return multiplyPoint(field, { x, y }, ORDER) === null ? { x, y } : null;
}

/** @param {Uint8Array} bytes big-endian @param {boolean} hasFlags whether the upper three bits are no part of the number */
function readNumber(bytes, hasFlags) {
  let number = 0n;
  bytes.forEach((byte, place) => { number = number << 8n | BigInt(hasFlags && place === 0 ? byte & 0x1f : byte); });
  return number;
}

/** Whether of y and -y this is the larger one: the first of its numbers that is not 0 decides. @param {Fp[]} parts */
function isLarger(parts) {
  return (parts.find((part) => part !== 0n) ?? 0n) > (P - 1n) / 2n;
}
