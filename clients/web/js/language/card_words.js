/** Cards and piles in words, in the reader's language. */
import { DOWN } from "../game/cards.js";
import { hasText, t } from "./translate.js";

/** "seven of hearts", or "a face-down card". @param {string} card */
export function cardWords(card) {
  if (card === DOWN) return t("cards.face_down");
  return t("cards.of_suit", { rank: t(`cards.rank_${card[0]}`), suit: t(`cards.suit_${card[1]}`) });
}

/** The game whose piles are put in words: that of the page. */
let game = "";

/** Call piles from now on what the rules of this game call them. @param {string} slug */
export function nameAsIn(slug) {
  game = slug;
}

/**
 * "column 3" for "tableau.2", because people count from one; "fan 3" in La Belle Lucie, which has a word of its own. A pile
 * without a word in this language keeps its own name.
 * @param {string} name
 */
export function pileWords(name) {
  const [group, number] = name.split(".");
  const key = [`piles.${group}@${game}`, `piles.${group}`].find(hasText);
  const pile = key ? t(key) : group.replaceAll("-", " ");
  return number === undefined ? pile : t("piles.numbered", { pile, number: Number(number) + 1 });
}

/**
 * A whole pile in one sentence: "column 3, top card seven of hearts, 2 more face up, 4 face down".
 * @param {string} name
 * @param {string[]} cards
 */
export function describePile(name, cards) {
  return t("piles.described", { pile: pileWords(name), cards: pileContents(cards).join(", ") });
}

/** The cards of a pile in words, from the top. @param {string[]} cards @returns {string[]} */
function pileContents(cards) {
  if (cards.length === 0) return [t("piles.empty")];
  const down = cards.filter((card) => card === DOWN).length;
  const top = cards[cards.length - 1];
  if (top === DOWN) return [t("piles.all_down", { count: cards.length })];
  const more = cards.length - down - 1;
  return [
    t("piles.top", { card: cardWords(top) }),
    ...(more ? [t("piles.more_up", { count: more })] : []),
    ...(down ? [t("piles.down", { count: down })] : []),
  ];
}
