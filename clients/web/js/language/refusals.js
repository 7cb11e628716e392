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
import { parseMove } from "../game/moves.js";
import { cardWords, pileWords } from "./card_words.js";
import { capitalize, moveWords, spellOutCodes, verbWords } from "./format.js";
import { translateSentence } from "./translate.js";

/**
 * @param {unknown} refusal what was thrown: what the server refused, or another error
 * @param {string[]} [piles] the game's, to know a move's piles from its verbs
 */
export function refusalWords(refusal, piles = []) {
  const { message, said } = /** @type {{message: string, said?: Said}} */ (refusal);
  if (said) return capitalize(translateSaid(said, wordingOf(piles)));
  const words = translateSentence(message, {});
  return words === message ? spellOutCodes(message, piles) : capitalize(words);
}

/** How the value of each kind is said. @param {string[]} piles @returns {Record<string, (value: string) => string>} */
function wordingOf(piles) {
  const known = new Set(piles);
  const move = (/** @type {string} */ text) => (known.size ? moveWords(parseMove(text, (name) => known.has(name))) : text);
  return { card: cardWords, pile: pileWords, verb: verbWords, move, moves: (texts) => texts.split(", ").map(move).join(", ") };
}

/** @param {Said} said @param {Record<string, (value: string) => string>} say @returns {string} */
function translateSaid({ text, values = {} }, say) {
  return translateSentence(text, Object.fromEntries(Object.entries(values).map(([name, value]) => {
    if (typeof value === "number") return [name, value];
    if (typeof value === "object") return [name, translateSaid(value, say)];
    return [name, (say[name.replace(/\d+$/, "")] ?? String)(value)];
  })));
}
