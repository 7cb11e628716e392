/**
 * Which cards are drawn for a position, and which drawn card becomes which one in the next position. An animation needs nothing
 * else: it is the difference between two positions, whatever happened between them.
 *
 * @typedef {{pile: string, index: number, face: string}} DrawnCard a card that is drawn; `index` counts from the bottom
 */
import { DOWN } from "../game/cards.js";

/** How many cards of a pile that does not spread are drawn: the top card and the one under it. */
const DRAWN_IN_STACK = 2;

/**
 * @param {{name: string, spread?: string, cards?: unknown[]}[]} places
 * @param {Record<string, string[]>} piles
 * @returns {DrawnCard[]}
 */
export function drawnCards(places, piles) {
  return places.flatMap(({ name, spread = "none", cards: own }) => {
    const cards = piles[name] ?? [];
    const first = spread === "none" && !own ? Math.max(0, cards.length - DRAWN_IN_STACK) : 0;
    return cards.slice(first).map((face, offset) => ({ pile: name, index: first + offset, face }));
  });
}

/** How many cards of a pile lie there in another position too, from the bottom. @param {string[]} cards @param {string[]} [others] */
export function sameLength(cards, others = []) {
  const first = cards.findIndex((card, index) => card !== others[index]);
  return first < 0 ? cards.length : first;
}

/**
 * For each card drawn now, the index of the card that it was before; -1 for a card that was not visible before.
 * @param {DrawnCard[]} before
 * @param {DrawnCard[]} after
 * @param {Record<string, string[]>} oldPiles
 * @param {Record<string, string[]>} newPiles
 * @returns {number[]}
 */
export function matchCards(before, after, oldPiles, newPiles) {
  const free = new Set(before.keys());
  const origin = after.map(() => -1);
  /** @param {number[]} open @param {(old: DrawnCard, card: DrawnCard) => boolean} fits */
  const take = (open, fits) => {
    for (const index of open) {
      const found = [...free].filter((candidate) => fits(before[candidate], after[index]));
      if (found.length === 0) continue;
      origin[index] = found[found.length - 1];
      free.delete(origin[index]);
    }
  };
  const unpaired = () => [...after.keys()].filter((index) => origin[index] < 0);
  /** @param {DrawnCard} one @param {DrawnCard} other */
  const same = (one, other) => one.pile === other.pile && one.index === other.index;
  const stays = (/** @type {DrawnCard} */ { pile, index, face }) => newPiles[pile]?.[index] === face;
  const wasThere = (/** @type {DrawnCard} */ { pile, index, face }) => oldPiles[pile]?.[index] === face;
  const shorter = (/** @type {string} */ pile) => (newPiles[pile]?.length ?? 0) < (oldPiles[pile]?.length ?? 0);

  take(unpaired(), (old, card) => same(old, card) && old.face === card.face);
  const came = () => unpaired().filter((index) => !wasThere(after[index]));
  take(came(), (old, card) => !stays(old) && old.face === card.face && old.face !== DOWN);
  take(came(), (old, card) => same(old, card) && (old.face === DOWN || card.face === DOWN));
  take(came(), (old, card) => old.face === DOWN && card.face !== DOWN && shorter(old.pile) && !stays(old));
  take(came(), (old, card) => card.face === DOWN && old.face !== DOWN && shorter(old.pile) && !stays(old));
  take(came(), (old, card) => card.face === DOWN && old.face === DOWN && shorter(old.pile) && !stays(old));
  return origin;
}
