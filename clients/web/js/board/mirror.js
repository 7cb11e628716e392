/** A table for the left hand: left and right are exchanged, and fans spread the other way. */

/** @typedef {import("./geometry.js").Spot} Spot */

/**
 * The mirrored arrangement. Only places are mirrored, never the face of a card.
 * @template {{card: {width: number}, width: number, piles: import("./geometry.js").ArrangedPile[]}} Arrangement
 * @param {Arrangement} arrangement
 * @returns {Arrangement}
 */
export function mirrored(arrangement) {
  const { card, width } = arrangement;
  const spot = (/** @type {Spot} */ { x, y, turn }) => ({ x: width - card.width - x, y, turn: turn ? -turn : 0 });
  const piles = arrangement.piles.map((pile) => ({
    ...pile,
    place: { ...pile.place, spread: opposite(pile.place.spread) },
    box: { ...pile.box, x: width - pile.box.width - pile.box.x },
    origin: spot(pile.origin),
    cards: pile.cards.map(spot),
  }));
  return { ...arrangement, piles };
}

/** @param {import("./boxes.js").Spread|undefined} spread */
function opposite(spread) {
  return spread === "left" ? "right" : spread === "right" ? "left" : spread;
}
