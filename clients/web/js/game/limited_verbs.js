/**
 * Verbs that a game allows only a few times: what is left of them is a counter of the position.
 *
 * @import { Move } from "./moves.js"
 */

/** The counter that says how often a verb may still be played. @type {Record<string, string>} */
const COUNTERS = { redeal: "redeals", grace: "graces" };

/** Whether a move is one that most games allow only a few times. @param {string} text of a move */
export function isLimited(text) {
  return Object.hasOwn(COUNTERS, verbOf(text));
}

/**
 * How often a verb may still be played; undefined where the game has no counter for it.
 * @param {string} text of a move
 * @param {Record<string, number>} counters
 */
export function usesLeft(text, counters) {
  return isLimited(text) ? counters[COUNTERS[verbOf(text)]] : undefined;
}

/** Whether an empty stock may be filled by a redeal, now or later. @param {Move[]} moves @param {Record<string, number>} counters */
export function hasRedeal(moves, counters) {
  return counters.redeals > 0 || moves.some(({ text }) => verbOf(text) === "redeal");
}

/** @param {string} text */
function verbOf(text) {
  return text.split("/")[0];
}
