/**
 * Tapping piles one after another, as a pure function: what is in hand, and what a tap on a pile does.
 *
 * @typedef {{picked: string[], count: number}} Hand what the player holds: piles in order of picking, cards of the first
 * @typedef {{hand: Hand, play?: string, attempt?: string}} Tapped `play` is legal; `attempt` is not, ask for the reason
 * @typedef {import("./moves.js").Move} Move
 */
import { DOWN } from "./cards.js";
import { canLift, jointMove, liftCount, targets, transferBetween, transferText } from "./moves.js";

/** An empty hand. @type {Hand} */
export const EMPTY = Object.freeze({ picked: [], count: 0 });

/**
 * The stock's action, if tapping this pile means one: `deal` while it is legal, else `redeal`.
 * @param {Move[]} moves
 * @param {string} role the tapped pile's
 */
export function stockAction(moves, role) {
  if (role !== "stock") return undefined;
  const texts = moves.map((move) => move.text);
  return ["deal", "redeal"].find((verb) => texts.includes(verb));
}

/**
 * Take a pile in hand, `depth` cards deep, if there is anything in it to hold.
 * @param {Move[]} moves
 * @param {string} pile
 * @param {string[]} cards
 * @param {number} depth
 * @returns {Hand}
 */
export function grasp(moves, pile, cards, depth) {
  const top = cards[cards.length - 1];
  if (top === undefined || (top === DOWN && !canLift(moves, pile))) return EMPTY;
  const count = Math.min(liftCount(moves, pile, Math.max(1, depth)), cards.length);
  return { picked: [pile], count };
}

/**
 * One tap. With an empty hand it deals or picks; with a full one it plays, adds to the selection, picks something else
 * or, where nothing fits, names the move that was meant so that the server can say why not.
 * @param {Hand} hand
 * @param {{pile: string, depth: number, role: string}} tap `depth` counts cards from the top, 1 being the top one
 * @param {{moves: Move[], cards: (pile: string) => string[]}} position
 * @returns {Tapped}
 */
export function tap(hand, { pile, depth, role }, { moves, cards }) {
  const action = stockAction(moves, role);
  if (hand.picked.length === 0) {
    if (action && !canLift(moves, pile)) return { hand: EMPTY, play: action };
    return { hand: grasp(moves, pile, cards(pile), depth) };
  }
  if (hand.picked.includes(pile)) {
    if (action && hand.picked.length === 1) return { hand: EMPTY, play: action };
    const picked = hand.picked.filter((other) => other !== pile);
    return { hand: picked.length ? { picked, count: 1 } : EMPTY };
  }
  const exact = playing(hand, pile, moves);
  if (exact) return { hand: EMPTY, play: exact };
  if (targets(moves, hand.picked, hand.count).has(pile)) {
    return { hand: { picked: [...hand.picked, pile], count: 1 } };
  }
  if (action && !canLift(moves, pile)) return { hand: EMPTY, play: action };
  if (canLift(moves, pile)) return { hand: grasp(moves, pile, cards(pile), depth) };
  if (hand.picked.length > 1) return { hand: EMPTY };
  return { hand: EMPTY, attempt: transferText(hand.picked[0], pile, hand.count) };
}

/** The legal move that putting this hand on that pile means, if any. @returns {string|undefined} */
export function playing(hand, pile, moves) {
  const transfer = hand.picked.length === 1 && transferBetween(moves, hand.picked[0], pile, hand.count);
  return (transfer || jointMove(moves, [...hand.picked, pile]))?.text;
}
