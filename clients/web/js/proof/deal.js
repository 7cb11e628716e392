/**
 * Dealing a game again: the deal as data, carried out on the pack.
 *
 * @typedef {import("./position.js").Position} Position
 * @typedef {{pack: string[], counters: Record<string, number>, steps: string[], whole: boolean, down: string[]}} DealPlan
 */
import { apply, face, Impossible } from "./position.js";
import { order } from "./shuffle.js";

const HAND = "hand";

/**
 * The position that the steps of a deal lead to. Where they are not all of them, what is left may lie in the pile "hand".
 * @param {DealPlan} plan
 * @param {string[]} piles the names of all of the game's
 * @param {string} seed in hex
 * @returns {Position}
 * @throws {Impossible} where a step cannot be carried out
 */
export function deal(plan, piles, seed) {
  const down = new Set([...plan.down, HAND]);
  const empty = Object.fromEntries(piles.map((name) => [name, []]));
  /** @type {Position} */
  let position = { piles: { ...empty, [HAND]: plan.pack.map((card) => `-${card}`) }, counters: plan.counters };
  for (const step of plan.steps) {
    const [verb, name, word] = step.split(" ");
    const hand = position.piles[HAND];
    if (verb === "set") position = lay(position, hand.indexOf(`-${word}`), name);
    else if (verb === "shuffled") position = { ...position, piles: { ...position.piles, [HAND]: shuffled(hand, seed, word) } };
    else position = apply(position, step, down);
  }
  return position;
}

/** A card of the hand, face up on a pile. @param {Position} position @param {number} place @param {string} pile */
function lay({ piles, counters }, place, pile) {
  if (place < 0) throw new Impossible();
  const card = face(piles[HAND][place]);
  return { counters, piles: { ...piles, [HAND]: piles[HAND].toSpliced(place, 1), [pile]: [...piles[pile], card] } };
}

/** @param {string[]} cards @param {string} seed @param {string} label */
function shuffled(cards, seed, label) {
  return order(cards.length, seed, label).map((place) => cards[place]);
}

/** Every card of a position, in alphabetical order. @param {Position} position */
export function cardsOf({ piles }) {
  return Object.values(piles).flat().map(face).sort().join(" ");
}
