/** Numbers, times and states as people read them. */
import { cardWords, pileWords } from "./cards.js";

/** "4:05", "1:02:09". @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  const two = (value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** "20 November 2026". @param {string} day as 2026-11-20 */
export function dayWords(day) {
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}

/** A moment on the reader's own clock: "20 Nov, 01:00". @param {number} moment */
export function momentWords(moment) {
  return new Date(moment).toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
}

/** "in 3 h 20 min". @param {number} milliseconds */
export function untilWords(milliseconds) {
  const minutes = Math.max(0, Math.ceil(milliseconds / 60000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const STATUS = { playing: "playing", stuck: "no move left", won: "won", lost: "lost", resigned: "resigned", out_of_time: "out of time" };

/** @param {string} status */
export function statusWords(status) {
  return STATUS[status] ?? status;
}

/** A verb move on a button: "Deal", "Choose hearts", "Play navy 4". @param {string} text */
export function verbWords(text) {
  const words = text.split("/").map((part) => pileWords(part).replaceAll("-", " ")).join(" ");
  return words[0].toUpperCase() + words.slice(1);
}

/** A move as a person would say it: "tableau 3 to foundation 1", "grid 1 with grid 5". @param {import("./moves.js").Move} move */
export function moveWords(move) {
  if (move.kind === "verb") return verbWords(move.text);
  if (move.kind !== "transfer") return move.piles.map(pileWords).join(move.kind === "exchange" ? " for " : " with ");
  const cards = move.count === 1 ? "" : `${move.count} cards, `;
  return `${cards}${pileWords(move.from)} to ${pileWords(move.to)}`;
}

/**
 * A server's sentence with its codes in words: "2C does not go on TS in tableau.2" becomes "two of clubs does not go on ten
 * of spades in tableau 3".
 * @param {string} text
 * @param {string[]} piles the game's
 */
export function plainWords(text, piles) {
  const known = new Set(piles);
  const words = text
    .replace(/\b[A2-9TJQK][SHDC]\b/g, cardWords)
    .replace(/\b[a-z-]+\.\d+\b/g, (name) => (known.has(name) ? pileWords(name) : name));
  return words[0] === words[0]?.toLowerCase() ? words.charAt(0).toUpperCase() + words.slice(1) : words;
}

/** "3rd". @param {number} rank */
export function rankWords(rank) {
  const teen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${(!teen && { 1: "st", 2: "nd", 3: "rd" }[rank % 10]) || "th"}`;
}
