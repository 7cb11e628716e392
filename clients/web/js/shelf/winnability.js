/**
 * The orders of the page about winnability.
 *
 * @import { GameWinnability } from "wire"
 */
import { compareGameNames } from "./choice.js";

/** @type {("won"|"lost"|"unknown")[]} */
export const VERDICTS = ["won", "lost", "unknown"];
/** What one game has less of than another if it comes first. */
const ORDERS = {
  name: () => 0,
  won: (/** @type {GameWinnability} */ game) => -share(game, "won"),
  lost: (/** @type {GameWinnability} */ game) => -share(game, "lost"),
  unknown: (/** @type {GameWinnability} */ game) => -share(game, "unknown"),
  nodes: (/** @type {GameWinnability} */ { nodes }) => nodes,
  moves: (/** @type {GameWinnability} */ { moves }) => moves ?? Infinity,
};
/** @typedef {keyof typeof ORDERS} Order */
export const ORDER_NAMES = /** @type {Order[]} */ (Object.keys(ORDERS));

/** The games in this order; games that are equal there by name. @param {GameWinnability[]} games @param {string} order */
export function sortGames(games, order) {
  const key = ORDERS[ORDER_NAMES.find((name) => name === order) ?? "name"];
  const byName = compareGameNames();
  return games.map((game) => ({ game, at: key(game) }))
    .sort((one, other) => (one.at === other.at ? byName(one.game, other.game) : one.at - other.at)).map(({ game }) => game);
}

/** @param {GameWinnability} game @param {"won"|"lost"|"unknown"} verdict */
function share(game, verdict) {
  return game[verdict].deals / game.deals;
}
