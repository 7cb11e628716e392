/**
 * Legal moves as the server writes them: parsing a move's text, and finding out from a list of moves what can go where. This
 * module knows no game: every answer comes from the texts.
 *
 * @typedef {{kind: "transfer", text: string, from: string, to: string, count: number}} Transfer
 * @typedef {{kind: "gather"|"exchange", text: string, piles: string[]}} Joint
 * @typedef {{kind: "verb", text: string, piles: string[]}} Verb `piles` are the piles that it names, often none
 * @typedef {Transfer|Joint|Verb} Move
 */

/**
 * Parse a move's text. A text that does not join known piles is a verb: `deal`, `choose/hearts`, `play/navy.3`.
 * @param {string} text
 * @param {(name: string) => boolean} isPile
 * @returns {Move}
 */
export function parseMove(text, isPile) {
  for (const [sign, kind] of /** @type {const} */ ([["+", "gather"], ["~", "exchange"]])) {
    const piles = text.split(sign);
    if (piles.length > 1 && piles.every(isPile)) return { kind, text, piles };
  }
  const [from, to, count = "1", ...rest] = text.split("/");
  if (to !== undefined && rest.length === 0 && /^\d+$/.test(count) && isPile(from) && isPile(to)) {
    return { kind: "transfer", text, from, to, count: Number(count) };
  }
  const named = count === "1" && rest.length === 0 ? to?.split("+") ?? [] : [];
  return { kind: "verb", text, piles: named.every(isPile) ? named : [] };
}

/**
 * The text of the move of `count` top cards, whether it is legal or not.
 * @param {string} from
 * @param {string} to
 * @param {number} count
 */
export function transferText(from, to, count) {
  return count === 1 ? `${from}/${to}` : `${from}/${to}/${count}`;
}

/** Whether a move joins piles. @param {Move} move @returns {move is Joint} */
function isJoint(move) {
  return move.kind === "gather" || move.kind === "exchange";
}

/** The piles that the player takes cards from in this move, in its order. @param {Move} move @returns {string[]} */
export function sourcePiles(move) {
  return move.kind === "transfer" ? [move.from] : move.piles;
}

/** Whether any legal move takes cards from this pile. @param {Move[]} moves @param {string} pile */
export function canLift(moves, pile) {
  return moves.some((move) => sourcePiles(move).includes(pile));
}

/**
 * How many cards are lifted when the player takes hold of the card `grabbed` cards deep: that many if a move takes that many,
 * else the next greater number that moves, else the next smaller one. Without any move: that many.
 * @param {Move[]} moves
 * @param {string} pile
 * @param {number} grabbed
 */
export function liftCount(moves, pile, grabbed) {
  const counts = [...new Set(moves.filter((move) => sourcePiles(move).includes(pile)).map(countOf))];
  if (counts.length === 0 || counts.includes(grabbed)) return grabbed;
  const more = counts.filter((count) => count > grabbed);
  return more.length ? Math.min(...more) : Math.max(...counts);
}

/** How many cards a move takes from each of its piles. @param {Move} move */
function countOf(move) {
  return move.kind === "transfer" ? move.count : 1;
}

/**
 * Where the cards in hand may go: pile name to move text. For pairs and exchanges these are the partners of all picked piles.
 * @param {Move[]} moves
 * @param {string[]} picked the piles in hand; a transfer starts from a single one
 * @param {number} count cards in hand
 * @returns {Map<string, string>}
 */
export function targets(moves, picked, count) {
  const found = new Map();
  for (const move of moves) {
    if (move.kind === "transfer") {
      if (picked.length === 1 && move.from === picked[0] && move.count === count) found.set(move.to, move.text);
    } else if (move.kind !== "verb" && picked.every((pile) => move.piles.includes(pile))) {
      for (const pile of move.piles) {
        if (!picked.includes(pile) && !found.has(pile)) found.set(pile, move.text);
      }
    }
  }
  return found;
}

/**
 * The legal move that joins exactly these piles. If several do, the one in the order in which they were picked.
 * @param {Move[]} moves
 * @param {string[]} picked
 * @returns {Joint|undefined}
 */
export function jointMove(moves, picked) {
  const exact = moves.filter(isJoint)
    .filter(({ piles }) => piles.length === picked.length && picked.every((pile) => piles.includes(pile)));
  return exact.find((move) => move.piles.every((pile, index) => pile === picked[index])) ?? exact[0];
}

/**
 * The transfer between two piles whose number of cards is nearest to `count`: that number, else more, else fewer.
 * @param {Move[]} moves
 * @param {string} from
 * @param {string} to
 * @param {number} count
 * @returns {Transfer|undefined}
 */
export function transferBetween(moves, from, to, count) {
  const found = moves.filter((move) => move.kind === "transfer").filter((move) => move.from === from && move.to === to);
  const rank = (/** @type {Transfer} */ move) => (move.count === count ? 0 : move.count > count ? move.count : 1000 - move.count);
  return found.sort((one, other) => rank(one) - rank(other))[0];
}

/**
 * The move that begins with these top cards, if there is only one: for a single tap.
 * @param {Move[]} moves
 * @param {string} pile
 * @param {number} count
 * @returns {Move|undefined}
 */
export function onlyMove(moves, pile, count) {
  const found = moves.filter((move) => sourcePiles(move).includes(pile) && (move.kind !== "transfer" || move.count === count));
  return found.length === 1 ? found[0] : undefined;
}

const ROLE_ORDER = ["foundation", "discard", "tableau", "reserve", "waste", "stock"];

/**
 * The best move for the top cards of a pile, for a double tap: to a foundation first, then to a pile with cards, else the only
 * move. Nothing if there is none, or if several pairs are possible.
 * @param {Move[]} moves
 * @param {string} pile
 * @param {number} count cards in hand
 * @param {(pile: string) => string} role
 * @param {(pile: string) => number} size
 * @returns {Move|undefined}
 */
export function bestMove(moves, pile, count, role, size) {
  const away = moves.filter((move) => move.kind === "transfer").filter(({ from }) => from === pile);
  const worth = (/** @type {Transfer} */ move) => ROLE_ORDER.indexOf(role(move.to)) * 4
    + (size(move.to) === 0 ? 2 : 0) + (move.count === count ? 0 : 1);
  if (away.length) return away.sort((one, other) => worth(one) - worth(other))[0];
  const joint = moves.filter((move) => sourcePiles(move).includes(pile));
  return joint.length === 1 ? joint[0] : undefined;
}
