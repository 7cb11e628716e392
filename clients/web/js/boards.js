/** The names of boards, "week:2026-W47", and what lies beside each: no page and no network here. */
import { dayAt, daysLater, mondayOf, monthOf, monthsLater, monthWords, weekOf, weekWords } from "./days.js";
import { dayWords } from "./words.js";

/**
 * @typedef {{kind: "deal"|"day"|"week"|"month"|"all"|"game", about: string, name: string}} BoardName
 * `about` is the deal, day, week, month or game; empty for the board of all time.
 */

/** Read a board's name; a plain day, or "today", is that day's board. @param {string} text @param {number} now @returns {BoardName} */
export function parseBoard(text, now) {
  const name = text === "today" ? `day:${dayAt(now)}` : /^\d{4}-\d\d-\d\d$/.test(text) ? `day:${text}` : text;
  const [kind, about = ""] = name.split(":");
  return { kind, about, name };
}

/**
 * The address of a board's page. A deal's number stands after a slash, since an address that ends in a dot and more asks
 * for a file.
 * @param {string} name
 * @param {Record<string, string|number>} [wanted] what is asked for beside the board
 */
export function boardAddress(name, wanted = {}) {
  const given = Object.entries(wanted).filter(([, value]) => value);
  return `/board/${name.replace(".", "/")}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

/** A day that a board is about: today for those of no day. @param {BoardName} board @param {number} now */
export function dayOfBoard({ kind, about }, now) {
  const today = dayAt(now);
  const within = (first, period) => (period(today) === about ? today : first);
  switch (kind) {
    case "deal": return about.split(".")[0];
    case "day": return about;
    case "week": return within(mondayOf(about), weekOf);
    case "month": return within(`${about}-01`, monthOf);
    default: return today;
  }
}

/** The board of a kind that holds a day. @param {string} kind @param {string} day @param {string} [slug] for that of a game */
export function boardOf(kind, day, slug = "") {
  return { day: `day:${day}`, week: `week:${weekOf(day)}`, month: `month:${monthOf(day)}`, all: "all", game: `game:${slug}` }[kind];
}

/**
 * The boards before and after one in time; null where there is none, or none yet.
 * @param {BoardName} board
 * @param {number} now
 */
export function neighbours({ kind, about }, now) {
  const today = dayAt(now);
  const [shift, present] = {
    deal: [(by) => `${daysLater(about.split(".")[0], by)}.${about.split(".")[1]}`, `${today}.${about.split(".")[1]}`],
    day: [(by) => daysLater(about, by), today],
    week: [(by) => weekOf(daysLater(mondayOf(about), 7 * by)), weekOf(today)],
    month: [(by) => monthsLater(about, by), monthOf(today)],
  }[kind] ?? [null, ""];
  if (!shift) return { before: null, after: null };
  return { before: `${kind}:${shift(-1)}`, after: about < present ? `${kind}:${shift(1)}` : null };
}

/** What a board is called. @param {BoardName} board @param {string} [game] the name of the deal's or board's game */
export function boardWords({ kind, about }, game = "") {
  switch (kind) {
    case "deal": return game || `Deal ${about.split(".")[1]}`;
    case "day": return dayWords(about);
    case "week": return weekWords(about);
    case "month": return monthWords(about);
    case "game": return game || about;
    default: return "All time";
  }
}

/** How a board is ordered, in a sentence. @param {string} kind */
export function orderWords(kind) {
  return kind === "deal" ? "By score, then fewer moves, then time; equals share a rank."
    : "Points of all ranked runs added up, then fewer moves, then time; equals share a rank.";
}

/**
 * Which players' rows are new or other than they were.
 * @param {{player: {id: string}}[]} before
 * @param {{player: {id: string}}[]} after
 * @returns {Set<string>}
 */
export function changedRows(before, after) {
  const known = new Map(before.map((entry) => [entry.player.id, essence(entry)]));
  return new Set(after.filter((entry) => known.get(entry.player.id) !== essence(entry)).map(({ player }) => player.id));
}

function essence({ score, points, moves, milliseconds, game, runs }) {
  return JSON.stringify([score, points, moves, milliseconds, game, runs]);
}
