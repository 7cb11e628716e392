/**
 * The two orders in which the pages sort games by themselves. Every other order comes sorted from the server.
 *
 * Each order is one key, a list of numbers: the game with the smaller key stands first. The server has the same keys in
 * `server/core/ranking.py`. Both are tested against the same cases, `tests/orders/*.json`.
 *
 * @import { Meter } from "wire"
 */

/**
 * The key of a game in a race: whoever has won stands before whoever has not. Winners are ordered by less time. The others
 * are ordered by more cards home, then fewer moves, then less time.
 * @param {Pick<Meter, "status"|"home"|"moves"|"milliseconds">} meter
 * @returns {number[]}
 */
export function raceRankKey({ status, home, moves, milliseconds }) {
  return status === "won" ? [0, milliseconds] : [1, -home, moves, milliseconds];
}

/**
 * The key of a game of a day in progress: more score, then fewer moves.
 * @param {Pick<Meter, "score"|"moves">} meter
 * @returns {number[]}
 */
export function progressRankKey({ score, moves }) {
  return [-score, moves];
}

/**
 * Sort by a key, the smallest key first. Items with equal keys keep their order.
 * @template Item
 * @param {Item[]} items are not changed
 * @param {(item: Item) => number[]} keyOf
 * @returns {Item[]}
 */
export function sortByRankKey(items, keyOf) {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((one, other) => compareKeys(one.key, other.key)).map(({ item }) => item);
}

/** Below zero if the first key stands first, 0 if both are equal. @param {number[]} one @param {number[]} other */
export function compareKeys(one, other) {
  const differences = one.map((part, index) => part - other[index]);
  return differences.find((difference) => difference !== 0) ?? 0;
}
