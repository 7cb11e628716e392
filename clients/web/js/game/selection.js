/**
 * Selecting piles by taps, as pure functions: what the player has in hand, and what a tap on a pile does.
 *
 * @typedef {{picked: string[], count: number}} Hand the cards in hand: the picked piles in order, and how many cards of the first one
 * @typedef {{hand: Hand, play?: string, choose?: string[], attempt?: string}} TapResult `play` is a legal move; `choose` has
 *   several legal moves; `attempt` is an illegal one, to ask the server for the reason
 * @typedef {import("./moves.js").Move} Move
 */
import { DOWN } from "./cards.js";
import { canLift, jointMove, liftCount, onlyMove, targets, transferBetween, transferText } from "./moves.js";

/** An empty hand. @type {Hand} */
export const EMPTY_HAND = Object.freeze({ picked: [], count: 0 });

/**
 * The stock's verb, if a tap on this pile means one: `deal` while it is legal, else `redeal`.
 * @param {Move[]} moves
 * @param {string} role of the tapped pile
 */
export function stockAction(moves, role) {
  if (role !== "stock") return undefined;
  const texts = moves.map((move) => move.text);
  return ["deal", "redeal"].find((verb) => texts.includes(verb));
}

/**
 * The hand that takes the top `depth` cards of a pile; empty if there is nothing to take.
 * @param {Move[]} moves
 * @param {string} pile
 * @param {string[]} cards
 * @param {number} depth
 * @returns {Hand}
 */
export function pickUp(moves, pile, cards, depth) {
  const top = cards[cards.length - 1];
  if (top === undefined || (top === DOWN && !canLift(moves, pile))) return EMPTY_HAND;
  const count = Math.min(liftCount(moves, pile, Math.max(1, depth)), cards.length);
  return { picked: [pile], count };
}

/**
 * One tap. With an empty hand it deals or picks up cards. With cards in hand it plays them, adds the pile to the selection, or
 * picks up other cards. If nothing fits, it names the move that was meant, so that the server can say why it is illegal.
 * @param {Hand} hand
 * @param {{pile: string, depth: number, role: string}} tap `depth` counts cards from the top, 1 being the top one
 * @param {{moves: Move[], cards: (pile: string) => string[], oneTap?: boolean}} position `oneTap`: a tap plays
 *   the only possible move of the tapped cards at once
 * @returns {TapResult}
 */
export function tap(hand, { pile, depth, role }, { moves, cards, oneTap = false }) {
  const action = stockAction(moves, role);
  if (hand.picked.length === 0) {
    if (action && !canLift(moves, pile)) return { hand: EMPTY_HAND, play: action };
    const picked = pickUp(moves, pile, cards(pile), depth);
    const only = oneTap && !action && picked.picked.length ? onlyMove(moves, pile, picked.count) : undefined;
    return only ? { hand: EMPTY_HAND, play: only.text } : { hand: picked };
  }
  if (hand.picked.includes(pile)) {
    if (action && hand.picked.length === 1) return { hand: EMPTY_HAND, play: action };
    const picked = hand.picked.filter((other) => other !== pile);
    return { hand: picked.length ? { picked, count: 1 } : EMPTY_HAND };
  }
  const meant = possibleMoves(hand, pile, moves);
  if (meant.length) return { hand: EMPTY_HAND, ...(meant.length > 1 ? { choose: meant } : { play: meant[0] }) };
  if (targets(moves, hand.picked, hand.count).has(pile)) {
    return { hand: { picked: [...hand.picked, pile], count: 1 } };
  }
  if (action && !canLift(moves, pile)) return { hand: EMPTY_HAND, play: action };
  if (canLift(moves, pile)) return { hand: pickUp(moves, pile, cards(pile), depth) };
  return { hand: EMPTY_HAND, attempt: attemptText(hand, pile, moves) };
}

/**
 * The legal moves that this hand on that pile may mean: the cards are moved there, or played together with its top card.
 * @param {Hand} hand
 * @param {string} pile
 * @param {Move[]} moves
 * @returns {string[]}
 */
export function possibleMoves(hand, pile, moves) {
  const transfer = hand.picked.length === 1 ? transferBetween(moves, hand.picked[0], pile, hand.count) : undefined;
  const joint = jointMove(moves, hand.picked.includes(pile) ? hand.picked : [...hand.picked, pile]);
  return [joint, transfer].flatMap((move) => (move ? [move.text] : []));
}

/**
 * Take a pile in hand to carry it: alone, or as one of several picked piles.
 * @param {Hand} hand
 * @param {string} pile
 * @param {number} depth
 * @param {{moves: Move[], cards: (pile: string) => string[]}} position
 * @returns {Hand}
 */
export function lift(hand, pile, depth, { moves, cards }) {
  if (hand.picked.length > 1 && hand.picked.includes(pile)) return hand;
  if (hand.picked.length > 1 && targets(moves, hand.picked, 1).has(pile)) return { picked: [...hand.picked, pile], count: 1 };
  return pickUp(moves, pile, cards(pile), depth);
}

/**
 * Drop the hand on a pile. This is like a tap there, but dropping it on a picked pile keeps the other picked piles.
 * @param {Hand} hand
 * @param {string|null} pile null for a drop outside every pile
 * @param {Move[]} moves
 * @returns {TapResult}
 */
export function drop(hand, pile, moves) {
  if (pile === null) return { hand: EMPTY_HAND };
  const meant = possibleMoves(hand, pile, moves);
  if (meant.length) return { hand: EMPTY_HAND, ...(meant.length > 1 ? { choose: meant } : { play: meant[0] }) };
  if (hand.picked.includes(pile)) return { hand: hand.picked.length > 1 ? hand : EMPTY_HAND };
  if (targets(moves, hand.picked, hand.count).has(pile)) return { hand: { picked: [...hand.picked, pile], count: 1 } };
  return { hand: hand.picked.length > 1 ? hand : EMPTY_HAND, attempt: attemptText(hand, pile, moves) };
}

/** The illegal move that this hand on that pile means: the cards are moved there, or played together with its top card. @param {Hand} hand @param {string} pile @param {Move[]} moves */
function attemptText({ picked, count }, pile, moves) {
  if (picked.length === 1) return transferText(picked[0], pile, count);
  return [...picked, pile].join(moves.some(({ kind }) => kind === "gather") ? "+" : "~");
}
