/**
 * Positions computed from effects: enough to follow any game without knowing its rules.
 *
 * A card is written as in a record: "TH", and "-TH" if it lies face down. A pile is an array of cards, the bottom card first.
 *
 * @typedef {{piles: Record<string, string[]>, counters: Record<string, number>}} Position
 * @typedef {import("./verify.js").Find} Find
 */
import { shown } from "./end.js";
import { movesOneCard, shuffledPlaces } from "./shuffle.js";

/** An effect that cannot happen in its position. */
export class ImpossibleEffect extends Error {}

/** @param {string} card */
export const face = (card) => card.replace("-", "");

/** @param {string} word @returns {number} */
function parseInteger(word) {
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(word ?? "")) throw new ImpossibleEffect();
  return Number(word);
}

/**
 * Cards as they lie on a pile: face down on the piles in `down`, else face up.
 * @param {string[]} cards
 * @param {string} pile
 * @param {Set<string>} down
 */
function cardsOnPile(cards, pile, down) {
  return cards.map((card) => (down.has(pile) ? `-${face(card)}` : face(card)));
}

/**
 * The position after an effect.
 * @param {Position} position
 * @param {string} effect
 * @param {Set<string>} down the piles on which cards lie face down
 * @returns {Position}
 * @throws {ImpossibleEffect}
 */
export function applyEffect(position, effect, down) {
  const { piles, counters } = position;
  const [verb, ...words] = effect.split(" ");
  const cards = (/** @type {string} */ name) => {
    if (!Object.hasOwn(piles, name)) throw new ImpossibleEffect();
    return piles[name];
  };
  const changed = (/** @type {Record<string, string[]>} */ now) => ({ piles: { ...piles, ...now }, counters });
  const arity = { moved: 3, turned: 3, exchanged: 2, counted: 2 }[verb] ?? words.length;
  if (words.length !== arity || words.length < 2) throw new ImpossibleEffect();
  switch (verb) {
    case "moved": {
      const [source, target] = words;
      const left = cards(source).length - parseInteger(words[2]);
      if (left < 0 || left === cards(source).length || parseInteger(words[2]) < 1 || source === target) throw new ImpossibleEffect();
      const moved = cardsOnPile(cards(source).slice(left), target, down);
      return changed({ [source]: cards(source).slice(0, left), [target]: [...cards(target), ...moved] });
    }
    case "turned": {
      const [pile, place, way] = words;
      const card = cards(pile)[parseInteger(place)];
      if (card === undefined || !["up", "down"].includes(way) || card.startsWith("-") !== (way === "up")) throw new ImpossibleEffect();
      return changed({ [pile]: cards(pile).with(parseInteger(place), way === "up" ? face(card) : `-${card}`) });
    }
    case "exchanged": {
      const [one, other] = words;
      if (one === other || !cards(one).length || !cards(other).length) throw new ImpossibleEffect();
      return changed({
        [one]: [...cards(one).slice(0, -1), ...cardsOnPile(cards(other).slice(-1), one, down)],
        [other]: [...cards(other).slice(0, -1), ...cardsOnPile(cards(one).slice(-1), other, down)],
      });
    }
    case "redealt":
      return changed(redealt(cards, words, down));
    case "counted":
      if (!Object.hasOwn(counters, words[0])) throw new ImpossibleEffect();
      return { piles, counters: { ...counters, [words[0]]: parseInteger(words[1]) } };
    default:
      throw new ImpossibleEffect();
  }
}

/** @param {(name: string) => string[]} cards @param {string[]} words @param {Set<string>} down */
function redealt(cards, words, down) {
  const parts = words.slice(0, -1).map((word) => word.split(":"));
  if (parts.some((part) => part.length !== 2)) throw new ImpossibleEffect();
  const gathered = parts.flatMap(([name]) => cards(name));
  const places = placesOf(effectOrder(words), gathered.length);
  const sizes = parts.map(([, size]) => parseInteger(size));
  const sum = sizes.reduce((before, size) => before + size, 0);
  if (sum !== gathered.length || new Set(parts.map(([name]) => name)).size !== parts.length) throw new ImpossibleEffect();
  const ordered = places.map((place) => gathered[place]);
  /** @type {Record<string, string[]>} */
  const now = {};
  parts.forEach(([name], index) => {
    now[name] = cardsOnPile(ordered.splice(0, sizes[index]), name, down);
  });
  return now;
}

/** @param {string[]} words */
const effectOrder = (words) => words[words.length - 1];

/** The places that the cards come from. @param {string} text @param {number} count */
function placesOf(text, count) {
  const kept = Array.from({ length: count }, (_, place) => place);
  if (text === "kept") return kept;
  if (text === "reversed") return kept.reverse();
  const places = text.split(",").map(parseInteger);
  const sorted = [...places].sort((one, other) => one - other);
  if (places.length !== count || sorted.some((place, index) => place !== index)) throw new ImpossibleEffect();
  return places;
}

/** The permutation in an effect that is a shuffle; null for any other effect. @param {string} effect @returns {number[]|null} */
export function permutation(effect) {
  if (!effect.startsWith("redealt ")) return null;
  const words = effect.split(" ");
  return /^\d+(,\d+)*$/.test(effectOrder(words)) ? effectOrder(words).split(",").map(Number) : null;
}

/**
 * The first pile or counter in which two positions differ; null if they are equal. A pile that is left out is empty.
 * @param {Position} one what is expected
 * @param {Position} other what is found
 */
export function firstDifference(one, other) {
  const names = new Set([...Object.keys(one.piles), ...Object.keys(other.piles)]);
  const pile = [...names].find((name) => (one.piles[name] ?? []).join(" ") !== (other.piles[name] ?? []).join(" "));
  if (pile !== undefined) return { name: pile, expected: (one.piles[pile] ?? []).join(" "), found: (other.piles[pile] ?? []).join(" ") };
  const all = new Set([...Object.keys(one.counters), ...Object.keys(other.counters)]);
  const counter = [...all].find((name) => one.counters[name] !== other.counters[name]);
  if (counter === undefined) return null;
  return { name: counter, expected: String(one.counters[counter]), found: String(other.counters[counter]) };
}

/**
 * The position after a move, or after a move of a certificate's line; null if an effect is impossible.
 * @param {Position} position
 * @param {Record<string, any>} data
 * @param {{down: Set<string>, seed: string, version: number, find: Find}} how
 */
export function positionAfter(position, data, { down, seed: ours, version, find }) {
  let after = position;
  for (const effect of Array.isArray(data.effects) ? data.effects : [null]) {
    try {
      if (typeof effect !== "string") throw new ImpossibleEffect();
      const laid = permutation(effect);
      after = applyEffect(after, effect, down);
      if (laid && !movesOneCard(laid)) {
        const drawn = shuffledPlaces(laid.length, ours, `redeal.${position.counters.redeals ?? 0}`);
        if (String(drawn) !== String(laid)) find(version, "shuffles", "order", String(drawn), String(laid));
      }
    } catch (problem) {
      if (!(problem instanceof ImpossibleEffect)) throw problem;
      find(version, "effects", "impossible", undefined, shown(effect));
      return null;
    }
  }
  return after;
}
