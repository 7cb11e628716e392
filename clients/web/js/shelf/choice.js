/**
 * Which games are wanted, and in which order: search, filters and sorting, without the page. The choice is kept in the address
 * of the page, so that a link brings it back.
 *
 * @import { ShelfGame } from "wire"
 */
import { languageTag, t } from "../language/translate.js";

/** Shelves: the games of the book, and those that nearly everybody knows. */
export const SHELVES = ["book", "well_known"];
/** Levels, the easiest first. */
export const LEVELS = ["gentle", "steady", "stern"];
/** Lengths: from and to so many minutes, both included. @type {{[length: string]: [from: number, to: number]}} */
export const LENGTHS = { short: [0, 5], middling: [6, 10], long: [11, Infinity] };
/** Orders: what one game has less of than another if it comes first. Games that are equal there are sorted by name. */
const ORDERS = {
  name: () => 0,
  easy: (/** @type {ShelfGame} */ { level }) => LEVELS.indexOf(level),
  short: (/** @type {ShelfGame} */ { minutes }) => minutes,
  played: (/** @type {ShelfGame} */ { played }) => -played,
  won: (/** @type {ShelfGame} */ game) => -winRate(game),
};
/** @typedef {keyof typeof ORDERS} Order */
/** @type {Order[]} */
export const ORDER_NAMES = ["name", "easy", "short", "played", "won"];

/** `search` as the reader has typed it; the others are empty for any. @typedef {{search: string, shelf: string, level: string, length: string, packs: string, order: Order}} Choice */
/** @type {Choice} */
export const EVERYTHING = { search: "", shelf: "", level: "", length: "", packs: "", order: "name" };

/**
 * The choice that an address asks for. What the shelf does not know is passed over.
 * @param {string} query "?level=gentle"
 * @returns {Choice}
 */
export function readChoice(query) {
  const asked = new URLSearchParams(query);
  const oneOf = (/** @type {string} */ name, /** @type {string[]} */ known) => known.find((value) => value === asked.get(name)) ?? "";
  return {
    search: asked.get("search") ?? "",
    shelf: oneOf("shelf", SHELVES),
    level: oneOf("level", LEVELS),
    length: oneOf("length", Object.keys(LENGTHS)),
    packs: /^\d$/.test(asked.get("packs") ?? "") ? String(asked.get("packs")) : "",
    order: ORDER_NAMES.find((name) => name === asked.get("order")) ?? EVERYTHING.order,
  };
}

/** The query of an address that asks for this choice; empty if everything is wanted. @param {Choice} choice */
export function writeChoice(choice) {
  const asked = Object.entries(choice).filter(([name, value]) => value.trim() && value !== EVERYTHING[/** @type {keyof Choice} */ (name)]);
  return asked.length ? `?${new URLSearchParams(asked)}` : "";
}

/**
 * The wanted games in their order, each with the name by which the search found it, if that is not the name it is shown with.
 * Games found by a name come before those found by their summary alone.
 * @template {ShelfGame} Game
 * @param {Game[]} games
 * @param {Choice} choice
 * @returns {{game: Game, alias: string|null}[]}
 */
export function chooseGames(games, { search, shelf, level, length, packs, order }) {
  const [from, to] = LENGTHS[length] ?? [0, Infinity];
  const words = fold(search).split(" ").filter(Boolean);
  const found = games
    .filter((game) => !shelf || game.shelf === shelf)
    .filter((game) => !level || game.level === level)
    .filter(({ minutes }) => from <= minutes && minutes <= to)
    .filter((game) => !packs || String(game.packs) === packs)
    .map((game) => ({ game, ...match(game, words) }))
    .filter(({ byName, alias, bySummary }) => byName || alias || bySummary);
  const isNamed = (/** @type {typeof found[0]} */ { byName, alias }) => Number(byName || alias !== null);
  const byName = compareGameNames();
  return found.sort((one, other) => isNamed(other) - isNamed(one)
    || ORDERS[order](one.game) - ORDERS[order](other.game) || byName(one.game, other.game));
}

/** What compares two games by their names, as a list in the reader's language sorts them. */
export function compareGameNames() {
  const { compare } = new Intl.Collator(languageTag());
  return (/** @type {{name: string}} */ one, /** @type {{name: string}} */ other) => compare(withoutArticle(one.name), withoutArticle(other.name));
}

/**
 * Where the words of a search are found. The slug of a game is its English name, for which readers of other languages may
 * look.
 * @param {ShelfGame} game
 * @param {string[]} words
 */
function match({ name, slug, also_known_as: aliases, summary }, words) {
  const has = (/** @type {string} */ text) => words.every((word) => fold(text).includes(word));
  const byName = has(name) || has(slug);
  return { byName, alias: byName ? null : aliases.find(has) ?? null, bySummary: has(`${name} ${summary}`) };
}

/** How often a game is won here. Few games say little: they count as if one more had been won, and one more lost. @param {ShelfGame} game */
function winRate({ played, won }) {
  return played ? (won + 1) / (played + 2) : 0;
}

/** A name as a list sorts it: "The Besieged City" stands at B. @param {string} name */
function withoutArticle(name) {
  const [first, ...rest] = fold(name).split(" ");
  return rest.length && t("games.articles").split(" ").includes(first) ? rest.join(" ") : [first, ...rest].join(" ");
}

/** A text without what one does not type in a search: capitals, accents, signs. A dotless ı is an i. @param {string} text */
function fold(text) {
  return text.toLocaleLowerCase(languageTag()).normalize("NFD").replace(/\p{Mark}/gu, "").replaceAll("ı", "i")
    .replace(/[^\p{Letter}\p{Number}]+/gu, " ").trim();
}
