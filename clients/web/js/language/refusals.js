/**
 * What the server refuses, in the reader's language.
 *
 * A refusal says its English sentence, and as `said` how it is made: a text with places, and what stands in them. The text is
 * what a language's file translates it by (its section "refusals"). What a place holds is known by its name: `{card}`,
 * `{pile}`, `{verb}`, `{move}` and `{moves}`, with a number after it where there are several, are put in words; others stand
 * as they are.
 *
 * @import { Said } from "wire"
 */
import { cardWords, pileWords } from "./card_words.js";
import { sentence } from "./translate.js";
import { parseMove } from "../game/moves.js";
import { capital, moveWords, plainWords, verbWords } from "./format.js";

/**
 * @param {unknown} refusal what was thrown: what the server refused, or another error
 * @param {string[]} [piles] the game's, to know a move's piles from its verbs
 */
export function refusalWords(refusal, piles = []) {
  const { message, said } = /** @type {{message: string, said?: Said}} */ (refusal);
  if (said) return capital(inWords(said, wording(piles)));
  const words = sentence(message, {});
  return words === message ? plainWords(message, piles) : capital(words);
}

/** How the value of each kind is said. @param {string[]} piles @returns {Record<string, (value: string) => string>} */
function wording(piles) {
  const known = new Set(piles);
  const move = (/** @type {string} */ text) => (known.size ? moveWords(parseMove(text, (name) => known.has(name))) : text);
  return { card: cardWords, pile: pileWords, verb: verbWords, move, moves: (texts) => texts.split(", ").map(move).join(", ") };
}

/** @param {Said} said @param {Record<string, (value: string) => string>} say @returns {string} */
function inWords({ text, values = {} }, say) {
  return sentence(text, Object.fromEntries(Object.entries(values).map(([name, value]) => {
    if (typeof value === "number") return [name, value];
    if (typeof value === "object") return [name, inWords(value, say)];
    return [name, (say[name.replace(/\d+$/, "")] ?? String)(value)];
  })));
}
