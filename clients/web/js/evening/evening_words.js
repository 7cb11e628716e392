/**
 * An evening in words: what is going on, and how long until something else happens.
 *
 * @import { Evening, EveningRow, EveningShare } from "wire"
 */
import { durationWords, momentWords } from "../language/format.js";
import { t } from "../language/translate.js";

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

/** What is going on, with the time that is left: "Round 2 of 6: 7:31 left". @param {Evening} evening @param {number} now */
export function stateWords(evening, now) {
  const moment = nextMoment(evening);
  const left = moment === null ? "" : durationWords(Math.max(0, moment - now));
  const of = { round: evening.round ?? 0, rounds: evening.rounds.length, time: left };
  switch (evening.state) {
    case "round": return t(evening.arena ? "evenings.arena_open" : "evenings.round_open", of);
    case "pause": return t("evenings.round_coming", of);
    case "provisional": return t(evening.arena ? "evenings.arena_over" : "evenings.provisional", { time: left });
    case "final": return t("evenings.final");
    case "void": return t("evenings.void", { reason: evening.void === "rules" ? t("evenings.void_rules") : evening.void ?? "" });
    default: return moment !== null && moment - now > 3_600_000 ? t("evenings.begins_at", { time: momentWords(moment) }) : t(evening.arena ? "evenings.arena_coming" : "evenings.begins_in", of);
  }
}

/** A share in short: "94.44"; in brackets if it is adjusted, a dash if the deal was not opened. @param {EveningShare|undefined} share */
export function shareWords(share) {
  if (!share) return "";
  if (share.how === "not_opened") return "–";
  return share.how === "adjusted" ? `(${share.shown})` : share.shown;
}

/** What a share is made of. @param {EveningShare} share */
export function shareOrigin(share) {
  if (share.how === "not_opened") return t("evenings.not_opened");
  if (share.how === "adjusted") return t("evenings.adjusted");
  if (share.matchpoints === undefined || share.n === undefined) return t("evenings.by_run");
  return t("evenings.made_of", { points: share.matchpoints, most: 2 * (share.n - 1), others: share.n - 1 });
}

/** Why a row stands below the one above it; empty if its share is smaller. @param {EveningRow} row */
export function reasonWords(row) {
  switch (row.reason) {
    case "head_to_head": return t("evenings.by_head_to_head", { points: row.head_to_head ?? 0 });
    case "tops": return t("evenings.by_tops", { count: row.tops ?? 0 });
    case "moves": return t("evenings.by_moves");
    case "shared": return t("evenings.by_nothing");
    default: return "";
  }
}
