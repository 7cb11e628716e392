/** Numbers, times, states and moves in words, in the reader's language. */
import { DOWN } from "../game/cards.js";
import { shownCards } from "../game/effects.js";
import { cardWords, pileWords } from "./card_words.js";
import { formatDate, formatNumber, hasText, languageTag, t } from "./translate.js";

/** "4:05", "1:02:09". @param {number} milliseconds */
export function durationWords(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** "81 of 104"; the score alone if its maximum is not known. @param {number} score @param {number} [maximum] */
export function scoreWords(score, maximum) {
  return maximum === undefined ? formatNumber(score) : t("common.score_of", { score, maximum });
}

/** How much of its maximum a score is, from 0 to 100: the width of a gauge. @param {number} score @param {number} maximum */
export function scorePercent(score, maximum) {
  return Math.max(0, Math.min(100, (100 * score) / Math.max(1, maximum)));
}

/** The name of a transparency log; a server without an address has one that ends in a random id. @param {string} origin */
export function logWords(origin) {
  const [host, id] = origin.split("/");
  return host === "cadogan.invalid" ? t("audit.unnamed_log", { id }) : origin;
}

/** "20 November 2026". @param {string} day as 2026-11-20 */
export function dayWords(day) {
  return formatDate(new Date(`${day}T00:00:00Z`), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** A moment in the reader's own time zone: "20 Nov, 01:00". @param {number} moment */
export function momentWords(moment) {
  return formatDate(moment, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** How much time is left: "3 h 20 min". @param {number} milliseconds */
export function timeLeftWords(milliseconds) {
  const minutes = Math.max(0, Math.ceil(milliseconds / 60000));
  return minutes < 60 ? t("time.minutes", { minutes }) : t("time.hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** The status of a game: "playing", "no move left", "won". @param {string} status */
export function statusWords(status) {
  return hasText(`table.status_${status}`) ? t(`table.status_${status}`) : status;
}

/** "3rd". @param {number} rank */
export function rankWords(rank) {
  const key = `time.rank_${new Intl.PluralRules(languageTag(), { type: "ordinal" }).select(rank)}`;
  return t(hasText(key) ? key : "time.rank_other", { rank });
}

/** A player's name; a guest has one in the reader's language: "Guest z7y5x3w2". @param {{name: string, guest: boolean, left?: boolean}} player */
export function nameWords({ name, guest, left }) {
  if (left) return t("people.left");
  const id = guest && /^Guest (\w+)$/.exec(name)?.[1];
  return id ? t("people.guest_name", { id }) : name;
}

/** The text with its first letter as a capital. @param {string} text */
export function capitalize(text) {
  const [first = "", ...rest] = text;
  return first.toLocaleUpperCase(languageTag()) + rest.join("");
}

/**
 * A move that is a verb, as on a button: "Deal", "Play navy 4". A verb without a word in this language keeps its own name.
 * @param {string} text
 */
export function verbWords(text) {
  const [verb, rest = ""] = text.split("/");
  const piles = rest.split("+").map(pileWords).join(", ");
  if (hasText(`moves.verb_${verb}`)) return t(`moves.verb_${verb}`, { piles }).trim();
  return capitalize(`${verb.replaceAll("-", " ")} ${piles}`.trim());
}

/** A move in words: "column 3 to foundation 1", "grid 1 with grid 5". @param {import("../game/moves.js").Move} move */
export function moveWords(move) {
  if (move.kind === "verb") return verbWords(move.text);
  if (move.kind === "transfer") return t("moves.transfer", { count: move.count, from: pileWords(move.from), to: pileWords(move.to) });
  return move.piles.map(pileWords).reduce((first, second) => t(`moves.${move.kind}`, { first, second }));
}

/**
 * A sentence from the server with its codes in words: "2C does not go on TS in tableau.2" becomes "Two of clubs does not go on
 * ten of spades in column 3".
 * @param {string} text
 * @param {string[]} piles the names of the game's piles
 */
export function spellOutCodes(text, piles) {
  const known = new Set(piles);
  return capitalize(text
    .replace(/\b[A2-9TJQK][SHDC]\b/g, cardWords)
    .replace(/\b[a-z-]+\.\d+\b/g, (name) => (known.has(name) ? pileWords(name) : name)));
}

/**
 * A move with the cards that it plays: "seven of hearts: column 1 to column 3", "Play navy 4: queen of spades". A verb that
 * names no pile has none.
 * @param {import("../game/moves.js").Move} move
 * @param {import("../game/effects.js").Piles} piles before the move
 */
export function moveWithCards(move, piles) {
  const top = (/** @type {string} */ pile, depth = 1) => cardWords(piles[pile]?.at(-depth) ?? DOWN);
  if (move.kind === "transfer") return t("moves.listed", { card: top(move.from, move.count), move: moveWords(move) });
  const cards = move.piles.map((pile) => top(pile)).join(", ");
  if (move.kind === "verb") return cards ? t("moves.with_cards", { verb: verbWords(move.text), cards }) : verbWords(move.text);
  return t("moves.listed", { card: cards, move: moveWords(move) });
}

/** At most so many cards are named that a verb shows. */
const MAX_NAMED_CARDS = 3;

/**
 * What happened at a step, in words. A verb names the cards that it showed: "Deal: queen of spades".
 * @param {import("../game/replay_steps.js").Step} step
 */
export function stepWords({ kind, move, effects, before, session }) {
  if (kind === "deal") return t("replay.deal");
  if (kind === "here") return t("analysis.here");
  if (move === null) return t("replay.taken_back");
  if (move.kind !== "verb") return before ? moveWithCards(move, before) : moveWords(move);
  const cards = before && effects && session.piles ? shownCards(before, effects, session.piles) : [];
  if (cards.length === 0 || cards.length > MAX_NAMED_CARDS) return verbWords(move.text);
  return t("moves.with_cards", { verb: verbWords(move.text), cards: cards.map(cardWords).join(", ") });
}
