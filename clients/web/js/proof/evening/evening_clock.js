/**
 * An evening after each of its events, and whether each event may come then: the clock's events have the time for which they were due.
 *
 * @typedef {{round: number, deal: string, game: string, commitment: string, opens_at: number, closes_at: number, search?: object}} Round
 * @typedef {import("../day.js").Certificate} Certificate
 *
 * @typedef {Object} Evening
 * @property {any} plan the data of its announcement
 * @property {Round[]} rounds with their times as they are now; those of an arena are its deals, which open and close together
 * @property {boolean} isEntryOpen
 * @property {string|null|undefined} signature of the beacon's round: null if the beacon was away, undefined before the draw
 * @property {number} opened how many rounds have opened
 * @property {number} closed
 * @property {number|null} endedAt
 * @property {Map<string, number|null>} objections when each was answered
 * @property {Set<string>} entrants
 * @property {Map<number, string>} secrets by round
 * @property {Map<number, string>} seals
 * @property {Map<number, Certificate>} certificates
 * @property {any} final the data of the event that made the standing final; null before
 * @property {any} voided
 * @property {number} changedAt
 */
import { signedAt } from "../beacon.js";
import { kindOf } from "../events/evening_events.js";

const LONGEST_PROVISIONAL_MILLISECONDS = 72 * 3_600_000;
const BY_CLOCK = ["entry_opened", "drawn", "round_opened", "round_closed", "arena_opened", "arena_closed", "ended", "finalists_named", "finalised"];

/** An evening after its announcement. @param {any} plan @param {number} at @returns {Evening} */
export function announced(plan, at) {
  return {
    plan, rounds: plan.rounds.map((/** @type {Round} */ one) => ({ ...one })), isEntryOpen: false, signature: undefined, opened: 0, closed: 0, endedAt: null,
    objections: new Map(), entrants: new Set(), secrets: new Map(), seals: new Map(), certificates: new Map(), final: null, voided: null, changedAt: at,
  };
}

/** Whether an event may follow, at its time. @param {Evening} evening @param {import("../chain.js").Recorded} event */
export function mayFollow(evening, event) {
  const kind = kindOf(event), isOver = evening.final !== null || evening.voided !== null;
  if (kind === "announced" || evening.voided || isOver !== (kind === "corrected")) return false;
  if (kind === "objection_raised" && (evening.endedAt === null || !evening.entrants.has(event.data.player))) return false;
  if (kind === "team_assigned" && !evening.entrants.has(event.data.player)) return false;
  if (kind === "round_shortened" && !(evening.plan.match && isOpen(evening, event.data.round))) return false;
  if (kind === "objection_answered" && !evening.objections.has(event.data.objection)) return false;
  if (event.data.round !== undefined && !evening.rounds[event.data.round - 1]) return false;
  if (!BY_CLOCK.includes(kind)) return true;
  if (!isNext(evening, kind, event.data)) return false;
  const due = kind === "ended" ? evening.changedAt : dueAt(evening);
  return event.recorded_at === Math.max(due, evening.changedAt);
}

/** @param {Evening} evening */
const isArena = ({ plan }) => plan.settings.kind === "arena";

/** Whether this round is open. @param {Evening} evening @param {number} round */
const isOpen = ({ opened, closed }, round) => round === opened && opened === closed + 1;

/** Whether an event of the clock is the one that was due. @param {Evening} evening @param {string} kind @param {any} data */
function isNext(evening, kind, { round, secrets }) {
  const { plan, signature, opened, closed, rounds, endedAt } = evening;
  const isDrawn = !plan.beacon || signature !== undefined;
  if (kind.startsWith(isArena(evening) ? "round_" : "arena_")) return false;
  switch (kind) {
    case "drawn": return !isDrawn;
    case "round_opened": return isDrawn && round === opened + 1 && opened === closed;
    case "round_closed": return isOpen(evening, round);
    case "arena_opened": return isDrawn && opened === 0;
    case "arena_closed": return opened > closed && rounds.every((one) => secrets[one.round]);
    case "ended": return endedAt === null && closed === rounds.length;
    case "finalised": return endedAt !== null;
    default: return true;
  }
}

/** When the clock has something to do next. @param {Evening} evening */
function dueAt({ plan, rounds, isEntryOpen, signature, opened, closed, endedAt, objections }) {
  if (!isEntryOpen) return plan.entry_opens_at;
  if (endedAt !== null) {
    const answers = [...objections.values()];
    if (answers.includes(null)) return endedAt + LONGEST_PROVISIONAL_MILLISECONDS;
    return Math.max(endedAt + plan.objections_minutes * 60_000, ...answers.map(Number));
  }
  if (plan.beacon && signature === undefined) return signedAt(plan.beacon);
  const coming = rounds[closed];
  return coming ? (opened > closed ? coming.closes_at : coming.opens_at) : Infinity;
}

/** Change an evening by its next event. @param {Evening} evening @param {import("../chain.js").Recorded} event */
export function follow(evening, event) {
  const { data, recorded_at: at } = event;
  evening.changedAt = at;
  switch (kindOf(event)) {
    case "changed":
      if (data.times) {
        evening.rounds.forEach((one, index) => {
          const [opens, closes] = data.times[isArena(evening) ? 0 : index] ?? [one.opens_at, one.closes_at];
          Object.assign(one, { opens_at: opens, closes_at: closes });
        });
      }
      break;
    case "entry_opened": evening.isEntryOpen = true; break;
    case "drawn": evening.signature = data.signature ?? null; break;
    case "round_opened":
      evening.opened = data.round;
      if (data.seal) evening.seals.set(data.round, data.seal);
      break;
    case "round_closed":
      evening.closed = data.round;
      evening.secrets.set(data.round, data.secret);
      if (data.certificate) evening.certificates.set(data.round, data.certificate);
      break;
    case "arena_opened": evening.opened = evening.rounds.length; break;
    case "arena_closed":
      evening.closed = evening.rounds.length;
      addSecrets(evening, data.secrets);
      break;
    case "ended": evening.endedAt = at; break;
    case "entrant_joined": evening.entrants.add(data.player); break;
    case "round_extended":
      if (isArena(evening)) for (const one of evening.rounds) one.closes_at += data.seconds * 1000;
      else move(evening.rounds, data.round, data.seconds * 1000);
      break;
    case "round_shortened": move(evening.rounds, data.round, at + 1 - evening.rounds[data.round - 1].closes_at); break;
    case "objection_raised": evening.objections.set(data.objection, null); break;
    case "objection_answered": evening.objections.set(data.objection, at); break;
    case "finalised": evening.final = data; break;
    case "voided":
      evening.voided = data;
      addSecrets(evening, data.secrets ?? {});
      for (const one of data.certificates ?? []) evening.certificates.set(evening.rounds.findIndex(({ deal }) => deal === one.deal) + 1, one);
  }
}

/** @param {Evening} evening @param {Record<string, string>} secrets by round */
function addSecrets(evening, secrets) {
  for (const [round, secret] of Object.entries(secrets)) evening.secrets.set(Number(round), secret);
}

/** Let a round close so much later, or earlier, and move the later ones. @param {Round[]} rounds @param {number} number @param {number} milliseconds */
function move(rounds, number, milliseconds) {
  for (const one of rounds.slice(number - 1)) {
    one.closes_at += milliseconds;
    if (one.round > number) one.opens_at += milliseconds;
  }
}
