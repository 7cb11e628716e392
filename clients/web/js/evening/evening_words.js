/**
 * An evening in words: what is going on, and how long until something else happens.
 *
 * @import { Evening, EveningCard, EveningRow, EveningShare, Player } from "wire"
 */
import { durationWords, momentWords, nameWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";

/**
 * The next moment at which something happens by the clock; null if nothing does.
 * @param {Pick<Evening, "state"|"round"|"rounds"|"final_at"|"arena">} evening
 */
export function nextMoment({ state, round, rounds, final_at: finalAt, arena }) {
  const next = arena ?? (round ? rounds[round - 1] : null);
  switch (state) {
    case "round": return next?.closes_at ?? null;
    case "announced":
    case "entry":
    case "pause": return next?.opens_at ?? null;
    case "provisional": return finalAt;
    default: return null;
  }
}

/** Whether somebody new may still begin. @param {Evening} evening */
export function mayCome({ arena, state, rounds, latest_entry: latest, match }) {
  if (match && (!match.waits || match.opponent)) return false;
  return ["announced", "entry", "round", "pause"].includes(state) && (Boolean(arena) || rounds[latest - 1].state !== "closed");
}

/** A screen on which an evening is over goes on to the next one this long before its start. */
const NEXT_MILLISECONDS = 15 * 60_000;

/**
 * The evening that a screen shows after one that is over: of the same group or house, on now or about to begin.
 * @param {Pick<Evening, "id"|"group">} shown @param {EveningCard[]} evenings by their start @param {number} now
 */
export function findNextEvening(shown, evenings, now) {
  return evenings.find(({ id, group, state, starts_at: startsAt }) => id !== shown.id && group === shown.group
    && (state === "on" || (state === "coming" && startsAt - now <= NEXT_MILLISECONDS)));
}

/** Why an evening is void, where no leader has written it. @type {Record<string, () => string>} */
const VOID_WORDS = {
  rules: () => t("evenings.void_rules"), declined: () => t("matches.declined"), withdrawn: () => t("matches.withdrawn"),
  no_opponent: () => t("matches.no_opponent"),
};

/** What an evening is called; a match by who plays it: "Ada – Bob". @param {Pick<Evening, "title"|"leader"|"match">} evening */
export function titleWords({ title, leader, match }) {
  return match ? pairWords(leader, match.opponent) : title;
}

/** Who plays whom: "Ada – Bob"; as long as nobody is known, "Challenge by Ada". @param {Player} challenger @param {Player} [opponent] */
export function pairWords(challenger, opponent) {
  const player = nameWords(challenger);
  return opponent ? `${player} – ${nameWords(opponent)}` : t("matches.challenge_by", { player });
}

/** What stands above the reader's own table: the evening, or in a match who plays against them. @param {Evening} evening @param {string} [reader] */
export function tableWords({ title, leader, match }, reader) {
  const other = leader.id === reader ? match?.opponent : leader;
  return match && other ? t("matches.versus", { player: nameWords(other) }) : title;
}

/** What is going on, with the time that is left: "Round 2 of 6: 7:31 left". @param {Evening} evening @param {number} now @param {string} [reader] */
export function stateWords(evening, now, reader) {
  const moment = nextMoment(evening);
  const left = moment === null ? "" : durationWords(Math.max(0, moment - now));
  if (evening.match?.waits && evening.match.opponent && evening.match.opponent.id === reader) return t("matches.waits_for_you", { time: left });
  if (evening.match?.waits) return t("matches.waits", { player: evening.match.opponent ? nameWords(evening.match.opponent) : t("matches.somebody"), time: left });
  const of = { round: evening.round ?? 0, rounds: evening.rounds.length, time: left };
  switch (evening.state) {
    case "round": return t(evening.arena ? "evenings.arena_open" : "evenings.round_open", of);
    case "pause": return t("evenings.round_coming", of);
    case "provisional": if (evening.objections?.some(({ answer }) => !answer)) return t("evenings.provisional_objections", { time: left });
      return t(evening.arena ? "evenings.arena_over" : "evenings.provisional", { time: left });
    case "final": return t("evenings.final");
    case "void": return t("evenings.void", { reason: VOID_WORDS[evening.void ?? ""]?.() ?? evening.void ?? "" });
    default: return moment !== null && moment - now > 3_600_000 ? t("evenings.begins_at", { time: momentWords(moment) }) : t(evening.arena ? "evenings.arena_coming" : "evenings.begins_in", of);
  }
}

/** What stands above the table of a round: how long it stays open, and once it is over, what is going on. @param {Evening} evening @param {number} round @param {number} now */
export function bandWords(evening, round, now) {
  const left = (evening.arena ?? evening.rounds[round - 1]).closes_at - now;
  if (left > 0) return t(evening.arena ? "evenings.arena_open" : "evenings.left", { round, time: durationWords(left) });
  return evening.round === round ? t("evenings.is_closed", { round }) : stateWords(evening, now);
}

/** How to enter. @param {Pick<Evening, "code"|"entry">} evening */
export function entryWords({ code, entry }) {
  return t(entry === "group" ? "evenings.how_members" : "evenings.notice_how", { address: `${location.host}/e/${code}` });
}

/** What stands where nobody is in: how to enter, as long as one may. @param {Evening} evening */
export function nobodyWords(evening) {
  return [t("evenings.nobody_in"), mayCome(evening) && entryWords(evening)].filter(Boolean).join(" ");
}

/** A total or a share, of which the server sends two decimals, as the language writes it: "94.44", "94,44". @param {string} shown */
export const shownWords = (shown) => formatNumber(Number(shown), { minimumFractionDigits: 2 });

/** A share in short: "94.44"; in brackets if it is adjusted, a dash if the deal was not opened. @param {EveningShare|undefined} share */
export function shareWords(share) {
  if (!share) return "";
  if (share.how === "not_opened") return "–";
  return share.how === "adjusted" ? `(${shownWords(share.shown)})` : shownWords(share.shown);
}

/** What a share is made of. @param {EveningShare} share */
export function shareOrigin(share) {
  if (share.how === "not_opened") return t("evenings.not_opened");
  if (share.how === "adjusted") return t("evenings.adjusted");
  if (share.matchpoints === undefined || share.n === undefined) return t("evenings.by_run");
  const most = 2 * (share.n - 1);
  const isDrawn = most > 0 && Math.abs(Number(share.shown) - 100 * share.matchpoints / most) > 0.01;
  return [t("evenings.made_of", { points: share.matchpoints, most, count: share.n - 1 }), isDrawn && t("evenings.drawn_to_half")].filter(Boolean).join(". ");
}

/** Why a row stands below the one above it; empty if its share is smaller. @param {EveningRow} row */
export function reasonWords(row) {
  switch (row.reason) {
    case "head_to_head": return t("evenings.by_head_to_head", { count: row.head_to_head ?? 0 });
    case "tops": return t("evenings.by_tops", { count: row.tops ?? 0 });
    case "moves": return t("evenings.by_moves");
    case "shared": return t("evenings.by_nothing");
    default: return "";
  }
}
