/**
 * Cards as the wire writes them, and piles of them.
 *
 * A card is two characters, its rank and its suit: "TH" is the ten of hearts. In a pile from the server a number stands for
 * that many cards that lie face down. Here every card has an entry of its own: a pile is an array of faces, the bottom card
 * first, with DOWN for a card whose face does not show.
 */

/** The face of a card that lies face down. */
export const DOWN = "--";

/** Every rank, the lowest first, as a card has it. */
export const RANKS = "A23456789TJQK";

/**
 * One entry for each card of a pile: `[2, "7H"]` becomes `["--", "--", "7H"]`.
 * @param {(string|number)[]} cards
 * @returns {string[]}
 */
export function expandPile(cards) {
  return cards.flatMap((card) => (typeof card === "number" ? Array(card).fill(DOWN) : [card]));
}

/** The rank as printed on a card: "T" is "10". @param {string} card */
export function rankOf(card) {
  return card[0] === "T" ? "10" : card[0];
}
