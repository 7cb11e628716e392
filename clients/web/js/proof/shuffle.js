/**
 * The portable shuffle: the same seed gives the same order in every programming language. And numbered deals, whose cards follow
 * from their number alone. `docs/record.md` describes both.
 */
import { fromHex, join, sha256 } from "../hashing/sha256.js";

const WORD_RANGE = 2 ** 32;
const BIT_15 = 2 ** 15;
const RANKS = "A23456789TJQK";
const SUITS = "CDHS";

/** An endless sequence of 32-bit numbers from a seed. @param {string} seed in hex @param {string} label */
function* randomWords(seed, label) {
  const head = join("cadogan/shuffle/1\0", label, "\0", fromHex(seed));
  const block = new DataView(new ArrayBuffer(8));
  for (let index = 0; ; index += 1) {
    block.setUint32(4, index);
    const digest = new DataView(sha256(join(head, new Uint8Array(block.buffer))).buffer);
    for (let at = 0; at < 32; at += 4) yield digest.getUint32(at);
  }
}

/**
 * The order of a shuffle: the item at place k comes from place `order[k]`.
 * @param {number} count
 * @param {string} seed in hex
 * @param {string} label
 * @returns {number[]}
 */
export function shuffledPlaces(count, seed, label) {
  return placesFrom(count, randomWords(seed, label));
}

/**
 * The order that these 32-bit numbers give. A number at or above the largest multiple of the span is thrown away.
 * @param {number} count
 * @param {Iterator<number>} words
 * @returns {number[]}
 */
export function placesFrom(count, words) {
  const places = Array.from({ length: count }, (_, place) => place);
  for (let last = count - 1; last > 0; last -= 1) {
    const span = last + 1;
    const limit = WORD_RANGE - (WORD_RANGE % span);
    let word = /** @type {number} */ (words.next().value);
    while (word >= limit) word = /** @type {number} */ (words.next().value);
    const other = word % span;
    [places[last], places[other]] = [places[other], places[last]];
  }
  return places;
}

/** Whether an order only takes one card out and puts it elsewhere, as some rules do. @param {number[]} laid */
export function movesOneCard(laid) {
  const rises = (/** @type {number} */ without) => {
    const rest = laid.filter((_, place) => place !== without);
    return rest.every((from, place) => place === 0 || from > rest[place - 1]);
  };
  const first = laid.findIndex((from, place) => place > 0 && from < laid[place - 1]);
  return first < 0 || rises(first) || rises(first - 1);
}

/** The numbers from which a numbered deal follows, as in Microsoft's FreeCell, without end. @param {number} number */
function* drawNumbers(number) {
  const isAbove = number >= WORD_RANGE;
  const high = !isAbove && number >= WORD_RANGE / 2 ? BIT_15 : 0;
  for (let state = number % WORD_RANGE; ;) {
    state = (state * 214013 + 2531011) % WORD_RANGE; // exact: below 2 ** 50
    const upper = Math.floor(state / 2 ** 16);
    yield isAbove ? upper + 1 : (upper % BIT_15) + high;
  }
}

/**
 * The pack of the deal with this number, the card that is dealt first on top, which is the last one.
 * @param {string[]} pack of 52 cards, in any order
 * @param {number} number
 */
export function numberedPack(pack, number) {
  const place = (/** @type {string} */ card) => RANKS.indexOf(card.at(-2) ?? "") * SUITS.length + SUITS.indexOf(card.at(-1) ?? "");
  const left = [...pack].sort((one, other) => place(one) - place(other));
  const draws = drawNumbers(number);
  /** @type {string[]} */
  const dealt = [];
  while (left.length) {
    const at = /** @type {number} */ (draws.next().value) % left.length;
    [left[at], left[left.length - 1]] = [left[left.length - 1], left[at]];
    dealt.push(/** @type {string} */ (left.pop()));
  }
  return dealt.reverse();
}
