/**
 * The Merkle tree of a log and its tiles (RFC 6962, C2SP `tlog-tiles`; docs/record.md): roots, paths, and whether an entry is in it.
 *
 * @typedef {(level: number, number: number, width: number) => Promise<Uint8Array>} ReadTile reads a tile, or at the level
 *   `ENTRIES` a bundle of entries
 */
import { join, sha256 } from "../hashing/sha256.js";
import { BadNote } from "./notes.js";

export const WIDTH = 256;
/** In place of a level: the entries themselves instead of their hashes. */
export const ENTRIES = -1;
const HASH_BYTES = 32;

/** @param {Uint8Array} entry */
export const leafHash = (entry) => sha256(join("\0", entry));

/** @param {Uint8Array} left @param {Uint8Array} right */
const nodeHash = (left, right) => sha256(join("\x01", left, right));

/** The root over leaf hashes, or over hashes of complete subtrees of one size. @param {Uint8Array[]} hashes */
export function treeHash(hashes) {
  /** @type {Uint8Array[]} */
  const complete = [];
  hashes.forEach((hash, index) => {
    let branch = hash;
    for (let count = index; count & 1; count >>= 1) branch = nodeHash(/** @type {Uint8Array} */ (complete.pop()), branch);
    complete.push(branch);
  });
  return complete.length ? complete.reduceRight((right, left) => nodeHash(left, right)) : sha256(new Uint8Array(0));
}

/** How many hashes a tile has in a tree of this size. @param {number} level @param {number} number @param {number} size */
export function widthOf(level, number, size) {
  const complete = level === ENTRIES ? size : Math.floor(size / WIDTH ** level);
  return Math.max(0, Math.min(WIDTH, complete - number * WIDTH));
}

/** The path of a tile. @param {number} level @param {number} number @param {number} width */
export function tilePath(level, number, width) {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/.{3}/g) ?? [];
  const name = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join("/");
  return `tile/${level === ENTRIES ? "entries" : level}/${name}${width < WIDTH ? `.p/${width}` : ""}`;
}

/** The entries in a bundle, each after its length in two bytes. @param {Uint8Array} bundle @throws {BadNote} */
export function readBundle(bundle) {
  const entries = [];
  for (let at = 0; at < bundle.length;) {
    const end = at + 2 + bundle[at] * 256 + bundle[at + 1];
    if (!(end <= bundle.length)) throw new BadNote("unreadable");
    entries.push(bundle.slice(at + 2, end));
    at = end;
  }
  return entries;
}

/**
 * The hashes beside the way from an entry up to the root, from tiles.
 * @param {number} number of the entry, from 0
 * @param {number} size of the tree
 * @param {ReadTile} read
 */
export async function inclusionHashes(number, size, read) {
  /** @type {[number, number][]} */
  const parts = [];
  for (let [low, high] = [0, size]; high - low > 1;) {
    let half = 1;
    while (half * 2 < high - low) half *= 2;
    const isLeft = number < low + half;
    parts.unshift(isLeft ? [low + half, high] : [low, low + half]);
    [low, high] = isLeft ? [low, low + half] : [low + half, high];
  }
  const hashes = [];
  for (const [low, high] of parts) hashes.push(await partHash(low, high, size, read));
  return hashes;
}

/**
 * The hash of an aligned range of entries, from `low` up to but not including `high`.
 * @param {number} low
 * @param {number} high
 * @param {number} size of the tree
 * @param {ReadTile} read
 */
async function partHash(low, high, size, read) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  for (let first = low; first < high;) {
    let height = 0;
    while (2 ** (height + 1) <= high - first) height += 1;
    const level = Math.floor(height / 8);
    const place = Math.floor(first / WIDTH ** level);
    const tile = await read(level, Math.floor(place / WIDTH), widthOf(level, Math.floor(place / WIDTH), size));
    const count = 2 ** (height - 8 * level);
    const hashes = Array.from({ length: count }, (_, at) => tile.slice((place % WIDTH + at) * HASH_BYTES, (place % WIDTH + at + 1) * HASH_BYTES));
    if (hashes.some(({ length }) => length !== HASH_BYTES)) throw new BadNote("length");
    pieces.push(treeHash(hashes));
    first += 2 ** height;
  }
  return pieces.reduceRight((right, left) => nodeHash(left, right));
}
