/**
 * Cards and piles as the wire writes them, and how they are said in words.
 *
 * A card is two characters ("TH"); a number in a view's pile stands for that many face-down cards.
 * Here every card has a place of its own: a pile is an array of faces, bottom first, DOWN where nothing shows.
 */

/** The face of a card that lies face down. */
export const DOWN = "--";

export const RANKS = "A23456789TJQK";
export const SUITS = "SHDC";

const RANK_WORDS = {
  A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
  T: "ten", J: "jack", Q: "queen", K: "king",
};
const SUIT_WORDS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };

/**
 * One entry for each card of a pile: `[2, "7H"]` becomes `["--", "--", "7H"]`.
 * @param {(string|number)[]} cards
 * @returns {string[]}
 */
export function expand(cards) {
  return cards.flatMap((card) => (typeof card === "number" ? Array(card).fill(DOWN) : [card]));
}

/** The rank as printed on a card: "T" is "10". @param {string} card */
export function rankOf(card) {
  return card[0] === "T" ? "10" : card[0];
}

/** @param {string} card */
export function isRed(card) {
  return card[1] === "H" || card[1] === "D";
}

/** "seven of hearts", or "a face-down card". @param {string} card */
export function cardWords(card) {
  if (card === DOWN) return "a face-down card";
  return `${RANK_WORDS[card[0]]} of ${SUIT_WORDS[card[1]]}`;
}

/** "tableau 3" for "tableau.2": people count from one. @param {string} name */
export function pileWords(name) {
  const [group, number] = name.split(".");
  const words = group.replaceAll("-", " ");
  return number === undefined ? words : `${words} ${Number(number) + 1}`;
}

/**
 * A whole pile in one breath: "tableau 3, top card seven of hearts, 2 more face up, 4 face down".
 * @param {string} name
 * @param {string[]} cards
 */
export function describePile(name, cards) {
  if (cards.length === 0) return `${pileWords(name)}, empty`;
  const down = cards.filter((card) => card === DOWN).length;
  const top = cards[cards.length - 1];
  if (top === DOWN) return `${pileWords(name)}, ${counted(cards.length, "card")} face down`;
  const more = cards.length - down - 1;
  const parts = [pileWords(name), `top card ${cardWords(top)}`];
  if (more) parts.push(`${more} more face up`);
  if (down) parts.push(`${down} face down`);
  return parts.join(", ");
}

/** "1 card", "3 cards". @param {number} count @param {string} noun */
export function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
