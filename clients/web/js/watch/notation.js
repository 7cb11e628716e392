/** A game's moves as a list to read and to press, in words or in short notation: "column 3 to foundation 1", "7♥ C3–F1". */
import { DOWN, rankOf } from "../game/cards.js";
import { pileWords } from "../language/card_words.js";
import { moveWords, stepWords } from "../language/format.js";
import { formatNumber, languageTag, t } from "../language/translate.js";
import { setting } from "../settings/settings.js";
import { element } from "../ui/dom.js";

/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/**
 * The shortest capital letters that tell a game's groups of piles apart: "column" C, "foundation" F; "reserve" R and "rooks"
 * RO. Groups with the same beginning get one more letter each until they differ.
 * @param {string[]} piles the names of all piles
 * @returns {Map<string, string>} the letters by the group's name
 */
export function abbreviations(piles) {
  const groups = [...new Set(piles.map((pile) => pile.split(".")[0]))];
  const words = groups.map((group) => pileWords(group).replace(/\s+/g, "").toLocaleUpperCase(languageTag()));
  return new Map(groups.map((group, index) => [group, shortestPrefix(words, index)]));
}

/** @param {string[]} words @param {number} index */
function shortestPrefix(words, index) {
  const word = words[index];
  for (let length = 1; length < word.length; length += 1) {
    const begin = word.slice(0, length);
    if (words.every((other, at) => at === index || other.slice(0, length) !== begin)) return begin;
  }
  return word;
}

/**
 * A move in short notation: the card that moves, from where and to where.
 * @param {import("../game/moves.js").Move} move
 * @param {import("../game/effects.js").Piles} piles before the move
 * @param {Map<string, string>} short see `abbreviations`
 */
export function shortWords(move, piles, short) {
  if (move.kind === "verb") return moveWords(move);
  const place = (/** @type {string} */ name) => {
    const [group, at] = name.split(".");
    return `${short.get(group)}${at === undefined ? "" : formatNumber(Number(at) + 1)}`;
  };
  const card = (/** @type {string} */ name, /** @type {number} */ depth) => {
    const face = piles[name]?.at(-depth) ?? DOWN;
    return face === DOWN ? "" : `${rankOf(face)}${SIGNS[face[1]]} `;
  };
  if (move.kind === "transfer") return `${card(move.from, move.count)}${place(move.from)}–${place(move.to)}`;
  return move.piles.map((name) => card(name, 1) + place(name)).join(move.kind === "exchange" ? " ⇄ " : " + ");
}

/**
 * Every step in words or in short notation, as the setting says.
 * @param {import("../game/replay_steps.js").Step[]} steps
 * @returns {string[]}
 */
export function notation(steps) {
  if (setting("notation") === "words") return steps.map(stepWords);
  const short = abbreviations(Object.keys(steps[0].session.piles ?? {}));
  return steps.map((step, index) =>
    (step.move === null ? stepWords(step) : shortWords(step.move, steps[index - 1].session.piles ?? {}, short)));
}

/**
 * The list of steps. The current step is marked and scrolled into view.
 * @param {import("../game/replay_steps.js").Step[]} steps
 * @param {(index: number) => void} go goes to a step
 * @returns {{node: HTMLElement, show: (index: number) => void}}
 */
export function makeNotation(steps, go) {
  const rows = notation(steps).map((words, index) => element("button", { type: "button", class: "ply", on: { click: () => go(index) } },
    element("span", { class: "number", "aria-hidden": "true" }, formatNumber(index)), element("span", {}, words)));
  const node = element("ol", { class: "notation", "aria-label": t("replay.moves") }, rows.map((row) => element("li", {}, row)));
  /** @type {HTMLElement|null} */
  let marked = null;
  return {
    node,
    show(index) {
      marked?.removeAttribute("aria-current");
      marked = rows[index];
      marked.setAttribute("aria-current", "step");
      scrollIntoList(node, marked);
    },
  };
}

/** Scroll a list, and nothing around it, so that a row is visible. @param {HTMLElement} list @param {HTMLElement} row */
export function scrollIntoList(list, row) {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
