/**
 * Rectangles around cards and piles, in card widths.
 *
 * @typedef {{name: string, role: string, x: number, y: number, turn?: number, spread?: Spread, step?: number,
 *   only_filled?: boolean, cards?: number[][]}} Place the place of a pile; `cards` has each card's own x, y and turn
 * @typedef {import("wire").PilePlace["spread"]} Spread
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 */

/** The height of a card whose width is one. */
export const RATIO = 1.4;

/**
 * The rectangle around something of this width and height that is turned about its own centre.
 * @param {{x: number, y: number, turn?: number}} spot its upper left corner before the turn
 * @param {number} width
 * @param {number} height
 * @returns {Box}
 */
export function turnedBox({ x, y, turn = 0 }, width, height) {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [wide, high] = [width * cos + height * sin, width * sin + height * cos];
  return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
}

/**
 * The rectangle around a single card at a place, turned or not.
 * @param {{x: number, y: number, turn?: number}} place
 * @returns {Box}
 */
export function cardBox({ x, y, turn = 0 }) {
  return turnedBox({ x, y: y * RATIO, turn }, 1, RATIO);
}

/** The rectangle around all cards of a pile that have places of their own. @param {Place} place @returns {Box} */
export function pileBox(place) {
  return unionBox([cardBox(place), ...cardSpots(place, place.cards?.length ?? 0).map(cardBox)]);
}

/**
 * The places of a pile's cards, if they have places of their own. The last place takes all cards that follow.
 * @param {Place} place
 * @param {number} count
 */
export function cardSpots({ cards = [] }, count) {
  if (cards.length === 0) return [];
  return Array.from({ length: count }, (_, index) => {
    const [x, y, turn] = cards[Math.min(index, cards.length - 1)];
    return { x, y, turn };
  });
}

/** The smallest rectangle around several. @param {Box[]} boxes @returns {Box} */
export function unionBox(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** Whether a point is inside a box, with a tolerance. @param {Box} box @param {number} x @param {number} y */
export function isInside(box, x, y, slack = 0) {
  return x >= box.x - slack && x <= box.x + box.width + slack && y >= box.y - slack && y <= box.y + box.height + slack;
}
