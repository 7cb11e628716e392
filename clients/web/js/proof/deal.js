/**
 * Deals a game again: applies the deal, given as data, to the pack.
 *
 * @typedef {import("./position.js").Position} Position
 * @typedef {{pack: string[], counters: Record<string, number>, steps: string[], whole: boolean, down: string[], numbers?: number}} DealPlan
 */
import { applyEffect, face, ImpossibleEffect } from "./position.js";
import { numberedPack, shuffledPlaces } from "./shuffle.js";

const HAND = "hand";

/**
 * The position after the steps of a deal. If these are not all steps, the cards left lie in the pile "hand".
 * @param {DealPlan} plan
 * @param {string[]} piles the names of all piles of the game
 * @param {string} seed in hex
 * @param {number} [number] of a numbered deal: then the first shuffle gives its cards
 * @returns {Position}
 * @throws {ImpossibleEffect} if a step cannot be applied
 */
export function deal(plan, piles, seed, number) {
  const down = new Set([...plan.down, HAND]);
  const empty = Object.fromEntries(piles.map((name) => [name, []]));
  /** @type {Position} */
  let position = { piles: { ...empty, [HAND]: plan.pack.map((card) => `-${card}`) }, counters: plan.counters };
  for (const step of plan.steps) {
    const [verb, name, word] = step.split(" ");
    const hand = position.piles[HAND];
    if (verb === "set") position = layFaceUp(position, hand.indexOf(`-${word}`), name);
    else if (verb === "shuffled") {
      const order = number === undefined ? shuffled(hand, seed, word) : numberedPack(hand, number);
      position = { ...position, piles: { ...position.piles, [HAND]: order } };
    } else position = applyEffect(position, step, down);
  }
  return position;
}

/** Lay a card of the hand face up on a pile. @param {Position} position @param {number} place @param {string} pile */
function layFaceUp({ piles, counters }, place, pile) {
  if (place < 0) throw new ImpossibleEffect();
  const card = face(piles[HAND][place]);
  return { counters, piles: { ...piles, [HAND]: piles[HAND].toSpliced(place, 1), [pile]: [...piles[pile], card] } };
}

/** @param {string[]} cards @param {string} seed @param {string} label */
function shuffled(cards, seed, label) {
  return shuffledPlaces(cards.length, seed, label).map((place) => cards[place]);
}

/** Every card of a position, in alphabetical order. @param {Position} position */
export function sortedCards({ piles }) {
  return Object.values(piles).flat().map(face).sort().join(" ");
}
