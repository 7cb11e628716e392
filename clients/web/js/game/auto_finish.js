/**
 * Whether the rest of a game can be played automatically, found out without knowing the game: every card is face up, the stock
 * is empty, and every card left can go to a foundation in turn if the foundations go on as they have begun. Which card goes
 * where is decided by the server's list of legal moves. This module only decides when to offer it.
 */
import { DOWN, RANKS } from "./cards.js";

/**
 * Whether to offer to play the rest automatically.
 * @param {import("./effects.js").Piles} piles
 * @param {import("./moves.js").Move[]} moves
 * @param {(pile: string) => string} role
 */
export function canAutoFinish(piles, moves, role) {
  const names = Object.keys(piles);
  if (!nextMoveHome(moves, role)) return false;
  if (names.some((pile) => piles[pile].includes(DOWN) || (role(pile) === "stock" && piles[pile].length > 0))) return false;
  const foundations = names.filter((pile) => role(pile) === "foundation");
  const rest = names.filter((pile) => !["foundation", "discard"].includes(role(pile)) && piles[pile].length > 0);
  const step = rankStep(foundations.map((pile) => piles[pile]));
  if (step === 0) return false;
  const wanted = foundations.map((pile) => nextCard(piles[pile], step));
  const left = rest.map((pile) => [...piles[pile]]);
  for (let played = true; played;) {
    played = false;
    for (const cards of left) {
      const place = cards.length ? wanted.indexOf(cards[cards.length - 1]) : -1;
      if (place < 0) continue;
      wanted[place] = nextCard(cards.splice(-1), step);
      played = true;
    }
  }
  return left.every((cards) => cards.length === 0);
}

/**
 * The first legal move that brings a card home.
 * @param {import("./moves.js").Move[]} moves
 * @param {(pile: string) => string} role
 */
export function nextMoveHome(moves, role) {
  return moves.find((move) => move.kind === "transfer" && role(move.to) === "foundation" && role(move.from) !== "foundation");
}

/**
 * By how many ranks each foundation goes up from card to card, if all agree; 0 if no foundation shows it or they differ.
 * @param {string[][]} foundations
 */
function rankStep(foundations) {
  const steps = new Set(foundations.flatMap((cards) => cards.slice(1).map((card, index) => {
    const by = (RANKS.indexOf(card[0]) - RANKS.indexOf(cards[index][0]) + RANKS.length) % RANKS.length;
    return card[1] === cards[index][1] ? by : 0;
  })));
  return steps.size === 1 ? [...steps][0] : 0;
}

/**
 * The card that goes on top next, in the same suit; undefined for an empty foundation, whose first card nobody can know here.
 * @param {string[]} cards
 * @param {number} step
 */
function nextCard(cards, step) {
  const top = cards[cards.length - 1];
  return top && RANKS[(RANKS.indexOf(top[0]) + step) % RANKS.length] + top[1];
}
