/**
 * The effects of a move: the texts that the server sends with a move, and the positions between the one before the move and the
 * one after it. All functions are pure. `docs/record.md` describes the texts.
 *
 * @typedef {Record<string, string[]>} Piles
 * @typedef {{face: string|null, up: boolean}} Card `face` is null while nobody has seen it
 * @typedef {{piles: Piles, gathered?: string[]}} IntermediatePosition a position on the way; the cards of the piles in
 *   `gathered` are brought together before it
 * @typedef {{kind: "moved", from: string, to: string, count: number} | {kind: "turned", pile: string, index: number, up: boolean}
 *   | {kind: "exchanged", piles: string[]} | {kind: "redealt", sizes: [string, number][], order: string}
 *   | {kind: "counted", counter: string, value: number}} Effect
 */
import { DOWN } from "./cards.js";

/** A move is shown in at most so many positions. In a longer move one position shows several effects. */
const MAX_POSITIONS = 16;

/** Parse an effect's text; null for a text that this client does not know. @param {string} text @returns {Effect|null} */
export function parseEffect(text) {
  const [kind, ...rest] = text.split(" ");
  switch (kind) {
    case "moved":
      return { kind, from: rest[0], to: rest[1], count: Number(rest[2]) };
    case "turned":
      return { kind, pile: rest[0], index: Number(rest[1]), up: rest[2] === "up" };
    case "exchanged":
      return { kind, piles: rest };
    case "redealt": {
      const order = rest.at(-1)?.includes(":") ? "shuffled" : rest.pop() ?? "shuffled";
      return { kind, order, sizes: rest.map((part) => part.split(":")).map(([pile, size]) => [pile, Number(size)]) };
    }
    case "counted":
      return { kind, counter: rest[0], value: Number(rest[1]) };
    default:
      return null;
  }
}

/** The sound of a move: cards are shuffled or gathered, turned up, or only laid. @param {string[]} effects */
export function soundOfEffects(effects) {
  const parsed = effects.map(parseEffect);
  if (parsed.some((effect) => effect?.kind === "redealt")) return "shuffle";
  return parsed.some((effect) => effect?.kind === "turned" && effect.up) ? "turn" : "lay";
}

/**
 * The positions on the way from `before` to `after`; the last one is `after` itself. If the effects do not lead to `after` (an
 * effect that this client does not know), `after` is the only position.
 * @param {Piles} before
 * @param {string[]} effects
 * @param {Piles} after
 * @param {(pile: string) => boolean} liesDown whether cards laid on a pile lie face down
 * @returns {IntermediatePosition[]}
 */
export function intermediatePositions(before, effects, after, liesDown) {
  const steps = positionsAfterEffects(before, effects, after, liesDown)?.filter(({ effect }) => effect.kind !== "counted") ?? [];
  if (steps.length === 0) return [{ piles: after }];
  const stride = Math.ceil(steps.length / MAX_POSITIONS);
  return steps
    .map(({ effect, piles }, index) => ({
      piles: index === steps.length - 1 ? after : piles,
      ...(effect.kind === "redealt" && { gathered: effect.sizes.map(([pile]) => pile) }),
    }))
    .filter((stage, index) => stage.gathered || (steps.length - 1 - index) % stride === 0);
}

/**
 * Each effect with the position it leads to; null if the effects do not lead to `after`.
 * @param {Piles} before
 * @param {string[]} effects
 * @param {Piles} after
 * @param {(pile: string) => boolean} liesDown
 * @returns {{effect: Effect, piles: Piles}[]|null}
 */
export function positionsAfterEffects(before, effects, after, liesDown) {
  const table = tableOf(before);
  const seen = [];
  for (const effect of effects.map(parseEffect)) {
    if (effect === null || !applyEffect(table, effect, liesDown)) return null;
    seen.push({ effect, cards: snapshot(table) });
  }
  return revealFaces(table, after) ? seen.map(({ effect, cards }) => ({ effect, piles: pilesOf(cards) })) : null;
}

/**
 * The cards that were face down before a move and are face up after it, in the order in which they were turned up.
 * @param {Piles} before
 * @param {string[]} effects
 * @param {Piles} after
 * @returns {string[]}
 */
export function shownCards(before, effects, after) {
  const table = tableOf(before);
  const hidden = Object.values(table).flat().filter(({ up }) => !up);
  /** @type {Set<Card>} */
  const shown = new Set();
  for (const effect of effects.map(parseEffect)) {
    if (effect === null || !applyEffect(table, effect, () => false)) return [];
    for (const card of hidden) if (card.up) shown.add(card);
  }
  return revealFaces(table, after) ? [...shown].flatMap(({ face, up }) => (up && face !== null ? [face] : [])) : [];
}

/**
 * What the same effects would make of another position, as far as anybody can see; null if they do not fit it.
 * @param {Piles} piles
 * @param {string[]} effects
 * @param {(pile: string) => boolean} liesDown
 * @returns {Piles|null}
 */
export function applyEffects(piles, effects, liesDown) {
  const table = tableOf(piles);
  for (const effect of effects.map(parseEffect)) {
    if (effect === null || !applyEffect(table, effect, liesDown)) return null;
  }
  return pilesOf(snapshot(table));
}

/** The piles as cards that remember their faces. @param {Piles} piles @returns {Record<string, Card[]>} */
function tableOf(piles) {
  return Object.fromEntries(Object.entries(piles).map(([pile, cards]) =>
    [pile, cards.map((face) => ({ face: face === DOWN ? null : face, up: face !== DOWN }))]));
}

/**
 * How every card lies at this moment: the card, and whether it is face up.
 * @param {Record<string, Card[]>} table
 * @returns {Record<string, [Card, boolean][]>}
 */
function snapshot(table) {
  return Object.fromEntries(Object.entries(table).map(([pile, cards]) => [pile, cards.map((card) => [card, card.up])]));
}

/**
 * The piles as they are seen: the face of every card that is face up and known, DOWN for every other.
 * @param {Record<string, [Card, boolean][]>} cards
 * @returns {Piles}
 */
function pilesOf(cards) {
  return Object.fromEntries(Object.entries(cards).map(([pile, held]) => [pile, held.map(([card, up]) => (up && card.face) || DOWN)]));
}

/**
 * Apply one effect to the table. False if it does not fit.
 * @param {Record<string, Card[]>} table
 * @param {Effect} effect
 * @param {(pile: string) => boolean} liesDown
 */
function applyEffect(table, effect, liesDown) {
  switch (effect.kind) {
    case "moved": {
      const { from, to, count } = effect;
      if (!table[from] || !table[to] || !(count <= table[from].length)) return false;
      const held = table[from].splice(table[from].length - count);
      for (const card of held) card.up = !liesDown(to);
      table[to].push(...held);
      return true;
    }
    case "turned": {
      const card = table[effect.pile]?.[effect.index];
      if (card) card.up = effect.up;
      return card !== undefined;
    }
    case "exchanged": {
      const [one, other] = effect.piles.map((pile) => table[pile]);
      if (!one?.length || !other?.length) return false;
      [one[one.length - 1], other[other.length - 1]] = [other[other.length - 1], one[one.length - 1]];
      return true;
    }
    case "redealt":
      return redeal(table, effect, liesDown);
    default:
      return true;
  }
}

/**
 * Collect the cards, put them in order and lay them out. Nobody may know the order after a shuffle, so the cards become
 * unknown.
 * @param {Record<string, Card[]>} table
 * @param {Extract<Effect, {kind: "redealt"}>} effect
 * @param {(pile: string) => boolean} liesDown
 */
function redeal(table, { sizes, order }, liesDown) {
  if (sizes.some(([pile]) => !table[pile])) return false;
  let cards = sizes.flatMap(([pile]) => table[pile]);
  if (order === "reversed") cards.reverse();
  else if (order !== "kept") cards = cards.map(() => ({ face: null, up: true }));
  for (const [pile, size] of sizes) {
    table[pile] = cards.splice(0, size);
    for (const card of table[pile]) card.up = !liesDown(pile);
  }
  return cards.length === 0;
}

/**
 * Give cards whose face was unknown the face that they have in the end. False if the table does not fit the end.
 * @param {Record<string, Card[]>} table
 * @param {Piles} after
 */
function revealFaces(table, after) {
  for (const [pile, cards] of Object.entries(table)) {
    if (cards.length !== after[pile]?.length) return false;
    cards.forEach((card, index) => {
      if (after[pile][index] !== DOWN) card.face ??= after[pile][index];
    });
  }
  return true;
}
