/** The names of boards, "week:2026-W47", and what lies beside each: no page and no network here. */
import { dayAt, daysLater, mondayOf, monthOf, monthsLater, monthWords, weekOf, weekWords } from "../language/calendar.js";
import { dayWords } from "../language/format.js";
import { t } from "../language/translate.js";

/**
 * @import { BoardEntry } from "wire"
 * @typedef {{kind: string, about: string, name: string}} LeaderboardName
 * `kind` is deal, day, week, month, all or game; `about` is that deal, day, week, month or game, empty for the board of all time.
 */

/** Read a board's name; a plain day, or "today", is that day's board. @param {string} text @param {number} now @returns {LeaderboardName} */
export function parseLeaderboard(text, now) {
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
export function leaderboardAddress(name, wanted = {}) {
  const given = Object.entries(wanted).filter(([, value]) => value).map(([key, value]) => [key, String(value)]);
  return `/board/${name.replace(".", "/")}${given.length ? `?${new URLSearchParams(given)}` : ""}`;
}

/** A day that a board is about: today for those of no day. @param {LeaderboardName} board @param {number} now */
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

/** The board of a kind that holds a day. @param {string} kind @param {string} day @param {string} [slug] for that of a game */
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
 * The boards before and after one in time; null where there is none, or none yet.
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

/** What a board is called. @param {LeaderboardName} board @param {string} [game] the name of the deal's or board's game */
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

/** How a board is ordered, in a sentence. @param {string} kind */
export function orderWords(kind) {
  return t(kind === "deal" ? "boards.order_deal" : "boards.order_points");
}

/**
 * Which players' rows are new or other than they were.
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
