/** The names of leaderboards, "week:2026-W47", and which one comes before and after each. Without page and network. */
import { dayAt, daysLater, mondayOf, monthOf, monthsLater, monthWords, weekOf, weekWords } from "../language/calendar.js";
import { dayWords } from "../language/format.js";
import { t } from "../language/translate.js";

/**
 * @import { BoardEntry } from "wire"
 * @typedef {{kind: string, about: string, name: string}} LeaderboardName
 * `kind` is deal, day, week, month, all or game. `about` is this deal, day, week, month or game; empty for the leaderboard of
 * all time.
 */

/**
 * Parse the name of a leaderboard. A day alone, or "today", is the leaderboard of that day.
 * @param {string} text
 * @param {number} now
 * @returns {LeaderboardName}
 */
export function parseLeaderboard(text, now) {
  const name = text === "today" ? `day:${dayAt(now)}` : /^\d{4}-\d\d-\d\d$/.test(text) ? `day:${text}` : text;
  const [kind, about = ""] = name.split(":");
  return { kind, about, name };
}

/**
 * The address of a leaderboard's page. A deal's number stands after a slash, because for an address whose last part has a dot
 * the server looks for a file.
 * @param {string} name
 * @param {Record<string, string|number>} [wanted] values for the query of the address
 */
export function leaderboardAddress(name, wanted = {}) {
  const given = Object.entries(wanted).filter(([, value]) => value).map(([key, value]) => [key, String(value)]);
  return `/board/${name.replace(".", "/")}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

/** The address of the page of a deal that was played; of a deal of a day its number stands after a slash, as above. @param {string} deal */
export const dealAddress = (deal) => `/deal/${deal.split(".").map(encodeURIComponent).join("/")}`;

/** A day that a leaderboard is about. Today for a leaderboard of no day. @param {LeaderboardName} board @param {number} now */
export function dayOfLeaderboard({ kind, about }, now) {
  const today = dayAt(now);
  /** @param {string} first @param {(day: string) => string} period */
  const within = (first, period) => (period(today) === about ? today : first);
  switch (kind) {
    case "deal": return about.split(".")[0];
    case "day": return about;
    case "week": return within(mondayOf(about), weekOf);
    case "month": return within(`${about}-01`, monthOf);
    default: return today;
  }
}

/**
 * The leaderboard of a kind that a day counts on.
 * @param {string} kind
 * @param {string} day
 * @param {string} [slug] for that of a game
 */
export function leaderboardOf(kind, day, slug = "") {
  switch (kind) {
    case "day": return `day:${day}`;
    case "week": return `week:${weekOf(day)}`;
    case "month": return `month:${monthOf(day)}`;
    case "game": return `game:${slug}`;
    default: return "all";
  }
}

/**
 * The leaderboards before and after one in time; null where there is none, or none yet.
 * @param {LeaderboardName} board
 * @param {number} now
 */
export function neighbourLeaderboards({ kind, about }, now) {
  const today = dayAt(now);
  const [day, slot] = about.split(".");
  /** @type {Record<string, {shift: (by: number) => string, present: string}>} */
  const kinds = {
    deal: { shift: (by) => `${daysLater(day, by)}.${slot}`, present: `${today}.${slot}` },
    day: { shift: (by) => daysLater(about, by), present: today },
    week: { shift: (by) => weekOf(daysLater(mondayOf(about), 7 * by)), present: weekOf(today) },
    month: { shift: (by) => monthsLater(about, by), present: monthOf(today) },
  };
  if (!Object.hasOwn(kinds, kind)) return { before: null, after: null };
  const { shift, present } = kinds[kind];
  return { before: `${kind}:${shift(-1)}`, after: about < present ? `${kind}:${shift(1)}` : null };
}

/** The title of a leaderboard. @param {LeaderboardName} board @param {string} [game] the name of the deal's or board's game */
export function leaderboardWords({ kind, about }, game = "") {
  switch (kind) {
    case "deal": return game || t("boards.deal_number", { number: Number(about.split(".")[1]) });
    case "day": return dayWords(about);
    case "week": return weekWords(about);
    case "month": return monthWords(about);
    case "game": return game || about;
    default: return t("boards.all_time");
  }
}

/** How a leaderboard is ordered, in a sentence. @param {string} kind */
export function orderWords(kind) {
  return t(kind === "deal" ? "boards.order_deal" : "boards.order_points");
}

/**
 * The ids of the players whose rows are new or changed.
 * @param {BoardEntry[]} before
 * @param {BoardEntry[]} after
 * @returns {Set<string>}
 */
export function changedRows(before, after) {
  const known = new Map(before.map((entry) => [entry.player.id, rowDigest(entry)]));
  return new Set(after.filter((entry) => known.get(entry.player.id) !== rowDigest(entry)).map(({ player }) => player.id));
}

/** @param {BoardEntry} entry */
function rowDigest({ score, points, moves, milliseconds, game, runs }) {
  return JSON.stringify([score, points, moves, milliseconds, game, runs]);
}
