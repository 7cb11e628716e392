/** How many cards of an opened pile lie in a row, and how far apart: as large and as open as the room allows. */
import { RATIO } from "./boxes.js";

/** Distances, in card widths and heights: of cards that do not cover each other, and the shortest at which rank and suit show. */
const OPEN = 1.06;
const SHORTEST_ACROSS = 0.44;
const SHORTEST_DOWN = 0.62;
const SHRINK_FACTOR = 0.9;
const MIN_CARD_PIXELS = 26;

/**
 * @typedef {Object} FanRows
 * @property {number} card the width of a card, in pixels
 * @property {number} columns how many cards a full row has
 * @property {{x: number, y: number}} step from one card and one row to the next, in pixels
 * @property {number} width
 * @property {number} height
 */

/**
 * Lay out cards in rows. Of all ways, the one with the largest cards is taken, then the one whose rows cover each other least, then
 * the one with the fewest rows.
 * @param {number} count
 * @param {{width: number, height: number, card: number}} room the pixels to fill, and the width that a card should have
 * @returns {FanRows}
 */
export function fanRows(count, { width, height, card: wanted }) {
  for (let card = wanted; card > MIN_CARD_PIXELS; card *= SHRINK_FACTOR) {
    const found = rowsOf(count, card, { width, height });
    if (found) return found;
  }
  return measure(count, MIN_CARD_PIXELS, { width, columns: count, down: OPEN });
}

/** @param {number} count @param {number} card @param {{width: number, height: number}} room */
function rowsOf(count, card, { width, height }) {
  if (card > width) return null;
  const rows = Math.ceil(count / (1 + Math.floor((width - card) / (SHORTEST_ACROSS * card))));
  for (const down of [OPEN, SHORTEST_DOWN]) {
    const made = measure(count, card, { width, columns: Math.ceil(count / rows), down });
    if (made.height <= height) return made;
  }
  return null;
}

/** @param {number} count @param {number} card @param {{width: number, columns: number, down: number}} about @returns {FanRows} */
function measure(count, card, { width, columns, down }) {
  const rows = Math.ceil(count / columns);
  const step = { x: columns > 1 ? Math.min(OPEN * card, (width - card) / (columns - 1)) : 0, y: down * RATIO * card };
  return { card, columns, step, width: card + step.x * (columns - 1), height: RATIO * card + step.y * (rows - 1) };
}
