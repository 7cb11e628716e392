/**
 * The moment after a won game: the cards leap from their piles across the table and come home, one soon after the other. Nothing
 * but their transforms changes, so that the compositor alone draws it.
 *
 * @import { Board } from "./board.js"
 * @typedef {{face: string, x: number, y: number}} Leaper a card, and where it leaps from, in pixels
 */
import { makeCardPicture } from "../cards/card_picture.js";
import { DOWN } from "../game/cards.js";
import { element } from "../ui/dom.js";
import { isMotionOff, scaledDuration } from "../ui/motion.js";

/** So many cards leap at most. */
export const MAX_LEAPERS = 52;
const LEAP_MILLISECONDS = 950;
const STAGGER_MILLISECONDS = 26;

/**
 * The cards that leap: those on the foundations, or, where a game has none, all that show a face. One of each pile in turn, from
 * the bottom up, so that low cards come first. Of large piles only the upper cards leap.
 * @param {{place: {name: string, role: string}, cards: {x: number, y: number}[]}[]} arranged the piles on the table
 * @param {Record<string, string[]>} piles
 * @returns {Leaper[]}
 */
export function leapers(arranged, piles) {
  const shown = arranged.map(({ place, cards }) => ({ role: place.role, cards: (piles[place.name] ?? [])
    .map((face, index) => ({ face, ...cards[index] })).filter(({ face }) => face !== DOWN) }));
  const home = shown.filter(({ role, cards }) => role === "foundation" && cards.length > 0);
  const filled = home.length > 0 ? home : shown.filter(({ cards }) => cards.length > 0);
  const most = Math.max(1, Math.floor(MAX_LEAPERS / Math.max(1, filled.length)));
  const chosen = filled.slice(0, MAX_LEAPERS).map(({ cards }) => ({ cards: cards.slice(-most) }));
  const longest = Math.max(0, ...chosen.map(({ cards }) => cards.length));
  const inTurn = Array.from({ length: longest }, (_, index) => chosen.flatMap(({ cards }) => cards.slice(index, index + 1))).flat();
  return inTurn.map(({ face, x, y }) => ({ face, x, y }));
}

/**
 * Let the cards leap. A press or a key ends it at once. Without motion nothing happens.
 * @param {Board} board
 * @param {Record<string, string[]>} piles
 * @returns {{finished: Promise<void>, stop: () => void}}
 */
export function startCascade(board, piles) {
  const cards = isMotionOff() ? [] : leapers(board.arrangement.piles, piles);
  if (cards.length === 0) return { finished: Promise.resolve(), stop: () => {} };
  const { card, width } = board.arrangement;
  const height = Math.max(board.arrangement.height, board.room().height);
  const layer = element("div", { class: "layer cascade", "aria-hidden": "true" });
  const runs = cards.map(({ face, x, y }, index) => {
    const node = element("div", { class: "card leaping" }, makeCardPicture(face));
    layer.append(node);
    const part = cards.length > 1 ? index / (cards.length - 1) : 0.5;
    const over = { x: part * (width - card.width), y: (height - card.height) * (0.8 - 0.55 * Math.sin(Math.PI * part)) };
    const at = (/** @type {{x: number, y: number}} */ point, /** @type {number} */ turn) =>
      `translate(${point.x}px, ${point.y}px) rotate(${turn}deg)`;
    return node.animate([
      { transform: at({ x, y }, 0), easing: "cubic-bezier(.2, .7, .4, 1)" },
      { transform: at(over, 40 * (part - 0.5)), offset: 0.5, easing: "cubic-bezier(.6, 0, .7, .4)" },
      { transform: at({ x, y }, 0) },
    ], { duration: scaledDuration(LEAP_MILLISECONDS), delay: index * scaledDuration(STAGGER_MILLISECONDS), fill: "both" });
  });
  board.root.append(layer);
  const stop = () => runs.forEach((run) => run.finish());
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, stop, { capture: true });
  const finished = Promise.allSettled(runs.map((run) => run.finished)).then(() => {
    for (const kind of ["pointerdown", "keydown"]) removeEventListener(kind, stop, { capture: true });
    layer.remove();
  });
  return { finished, stop };
}
