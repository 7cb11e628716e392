/**
 * The server's refusals in the reader's language.
 *
 * A refusal carries an English sentence, and in `said` how this sentence is made: a text with placeholders, and their values.
 * The text is the key of the translation, in the section "refusals" of the language's file. The name of a placeholder tells
 * what its value is: `{card}`, `{pile}`, `{piles}`, `{verb}`, `{move}` and `{moves}`, with a number after the name if there are
 * several, are put in words. Other values stay as they are.
 *
 * @import { Said } from "wire"
 */
import { parseMove } from "../game/moves.js";
import { cardWords, pileWords } from "./card_words.js";
import { capitalize, moveWords, spellOutCodes, verbWords } from "./format.js";
import { translateSentence } from "./translate.js";

/**
 * @param {unknown} refusal the refusal of the server, or another error
 * @param {string[]} [piles] the names of the game's piles, to tell moves between piles from verbs
 */
export function refusalWords(refusal, piles = []) {
  const { message, said } = /** @type {{message: string, said?: Said}} */ (refusal);
  if (said) return capitalize(translateSaid(said, wordingOf(piles)));
  const words = translateSentence(message, {});
  return words === message ? spellOutCodes(message, piles) : capitalize(words);
}

/** A sentence of the server that is no refusal. @param {Said} said */
export function saidWords(said) {
  return translateSaid(said, wordingOf([]));
}

/** How a value of each kind is put in words. @param {string[]} piles @returns {Record<string, (value: string) => string>} */
function wordingOf(piles) {
  const known = new Set(piles);
  const move = (/** @type {string} */ text) => (known.size ? moveWords(parseMove(text, (name) => known.has(name))) : text);
  const each = (/** @type {(text: string) => string} */ say) => (/** @type {string} */ texts) => texts.split(", ").map(say).join(", ");
  return { card: cardWords, pile: pileWords, piles: each(pileWords), verb: verbWords, move, moves: each(move) };
}

/** @param {Said} said @param {Record<string, (value: string) => string>} say @returns {string} */
function translateSaid({ text, values = {} }, say) {
  return translateSentence(text, Object.fromEntries(Object.entries(values).map(([name, value]) => {
    if (typeof value === "number") return [name, value];
    if (typeof value === "object") return [name, translateSaid(value, say)];
    return [name, (say[name.replace(/\d+$/, "")] ?? String)(value)];
  })));
}
