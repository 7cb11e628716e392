/** The portable shuffle: the same seed gives the same order in every programming language. `docs/record.md` describes it. */
import { fromHex, join, sha256 } from "./sha256.js";

const WORD_RANGE = 2 ** 32;

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
  const words = randomWords(seed, label);
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
