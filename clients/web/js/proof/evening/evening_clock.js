/**
 * An evening after each of its events, and whether each event may come then: the clock's events have the time for which they were due.
 *
 * @typedef {{round: number, stage: string, deal: string, game: string, commitment: string, opens_at: number, closes_at: number, search?: object}} Round
 * @typedef {import("../day.js").Certificate} Certificate
 *
 * @typedef {Object} Evening
 * @property {any} plan the data of its announcement
 * @property {Round[]} rounds with their times as they are now
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
 * @property {boolean} isSeriesOver whether its series has ended with it
 * @property {boolean} isNamed whether the players of its final are named
 * @property {any} final the data of the event that made the standing final; null before
 * @property {any} voided
 * @property {number} changedAt
 */
import { signedAt } from "../beacon.js";
import { kindOf } from "../events/evening_events.js";

const LONGEST_PROVISIONAL_MILLISECONDS = 72 * 3_600_000;
const PLAYERS_OF_A_MATCH = 2;
const BOT = "bot-";
const TEAM = /^[1-9]\d*$/;
const BY_LEADERS = ["round_extended", "round_voided", "outage_noted", "objection_answered", "standing_thawed"];
const BY_CLOCK = ["entry_opened", "drawn", "round_opened", "round_closed", "arena_opened", "arena_closed", "ended", "finalists_named", "finalised"];

/** An evening after its announcement. @param {any} plan @param {number} at @returns {Evening} */
export function announced(plan, at) {
  return {
    plan, rounds: plan.rounds.map((/** @type {Round} */ one) => ({ ...one })), isEntryOpen: false, signature: undefined, opened: 0, closed: 0, endedAt: null,
    objections: new Map(), entrants: new Set(), secrets: new Map(), seals: new Map(), certificates: new Map(), isSeriesOver: false, isNamed: false, final: null, voided: null, changedAt: at,
  };
}

/** Whether an event may follow, at its time. @param {Evening} evening @param {import("../chain.js").Recorded} event */
export function mayFollow(evening, event) {
  const kind = kindOf(event), isOver = evening.final !== null || evening.voided !== null;
  if (kind === "announced" || evening.voided || isOver !== (kind === "corrected")) return false;
  if (kind === "objection_raised" && (evening.endedAt === null || !evening.entrants.has(event.data.player))) return false;
  if (kind === "objection_answered" && !evening.objections.has(event.data.objection)) return false;
  if (event.data.round !== undefined && !evening.rounds[event.data.round - 1]) return false;
  if (!BY_CLOCK.includes(kind)) return isPossible(evening, kind, event.data, event.recorded_at);
  if (!isNext(evening, kind, event.data)) return false;
  const due = kind === "ended" ? evening.changedAt : dueAt(evening);
  return event.recorded_at === Math.max(due, evening.changedAt);
}

/** Whether what entrants and leaders did was possible then. @param {Evening} evening @param {string} kind @param {any} data @param {number} at */
function isPossible(evening, kind, data, at) {
  const { plan, rounds, opened, closed, endedAt, entrants, changedAt } = evening;
  const open = opened > closed ? rounds[isArena(evening) ? 0 : opened - 1] : null;
  const isOpen = open?.round === data.round && at < (open?.closes_at ?? 0);
  const hasTeam = data.team === undefined || (TEAM.test(data.team) && Boolean(plan.teams?.[data.team - 1]));
  const waits = Boolean(plan.match) && entrants.size < PLAYERS_OF_A_MATCH;
  if (BY_LEADERS.includes(kind) && isPlayerOfMatch(evening, data.by)) return false;
  switch (kind) {
    case "entrant_joined": return hasTeam && (data.kind === "bot") === data.player.startsWith(BOT) && endedAt === null && (entrants.has(data.player) || !plan.match || hasPlace(evening, data.player));
    case "entrant_left": return entrants.has(data.player);
    case "team_assigned": return hasTeam && entrants.has(data.player);
    case "changed": return opened === 0 && (!data.times || data.times.length === (isArena(evening) ? 1 : rounds.length));
    case "round_shortened": return Boolean(plan.match) && isOpen;
    case "round_extended": return isOpen && data.seconds >= 1;
    case "series_ended": return Boolean(plan.series) && !evening.isSeriesOver;
    case "round_voided": return data.round <= opened;
    case "voided": return (Boolean(data.by) && !(opened > 0 && isPlayerOfMatch(evening, data.by))) || ((data.reason !== "no_opponent" || waits) && at === Math.max(dueAt(evening), changedAt));
    default: return true;
  }
}

/** Whether a match, which this player has not entered, is for them. @param {Evening} evening @param {string} player */
function hasPlace({ plan, entrants }, player) {
  return player === plan.leader || (entrants.size < PLAYERS_OF_A_MATCH && (plan.match.opponent ?? player) === player);
}

/** Whether this is a match, and the player one of its two. @param {Evening} evening @param {string} player */
function isPlayerOfMatch({ plan, entrants }, player) {
  if (!plan.match || !player) return false;
  return player === plan.leader || player === ([...entrants].find((one) => one !== plan.leader) ?? plan.match.opponent);
}

/** Whether everybody plays as many deals of one sequence as they can. @param {Evening} evening */
const isArena = ({ plan }) => plan.settings.kind === "arena";

/** Whether an event of the clock is the one that was due. @param {Evening} evening @param {string} kind @param {any} data */
function isNext(evening, kind, { round, secrets }) {
  const { plan, signature, opened, closed, rounds, endedAt, isNamed } = evening;
  const isFinal = rounds[closed]?.stage === "final";
  const isDrawn = !plan.beacon || signature !== undefined;
  switch (kind) {
    case "drawn": return !isDrawn;
    case "arena_opened": return isArena(evening) && isDrawn && opened === 0;
    case "arena_closed": return isArena(evening) && opened > closed && rounds.length === Object.keys(secrets).length && rounds.every((one) => one.round in secrets);
    case "round_opened": return !isArena(evening) && isDrawn && round === opened + 1 && opened === closed && (isNamed || !isFinal);
    case "finalists_named": return !isArena(evening) && opened === closed && isFinal && !isNamed;
    case "round_closed": return !isArena(evening) && round === opened && opened === closed + 1;
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
        for (const [index, one] of evening.rounds.entries()) {
          const [opens, closes] = data.times[isArena(evening) ? 0 : index] ?? [];
          Object.assign(one, { opens_at: opens, closes_at: closes });
        }
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
      reveal(evening, data.secrets);
      break;
    case "finalists_named": evening.isNamed = true; break;
    case "ended": evening.endedAt = at; break;
    case "entrant_joined": evening.entrants.add(data.player); break;
    case "round_shortened": extend(evening.rounds, data.round, at + 1 - evening.rounds[data.round - 1].closes_at); break;
    case "round_extended":
      if (isArena(evening)) for (const one of evening.rounds) one.closes_at += data.seconds * 1000;
      else extend(evening.rounds, data.round, data.seconds * 1000);
      break;
    case "series_ended": evening.isSeriesOver = true; break;
    case "objection_raised": evening.objections.set(data.objection, null); break;
    case "objection_answered": evening.objections.set(data.objection, at); break;
    case "finalised": evening.final = data; break;
    case "voided":
      evening.voided = data;
      reveal(evening, data.secrets ?? {});
      for (const one of data.certificates ?? []) evening.certificates.set(evening.rounds.findIndex(({ deal }) => deal === one.deal) + 1, one);
  }
}

/** Note secrets that are revealed at once. @param {Evening} evening @param {Record<string, string>} secrets by round */
function reveal(evening, secrets) {
  for (const [round, secret] of Object.entries(secrets)) evening.secrets.set(/^[1-9][0-9]*$/.test(round) ? Number(round) : NaN, secret);
}

/** Let a round close so much later, or earlier, and move the later ones. @param {Round[]} rounds @param {number} number @param {number} milliseconds */
function extend(rounds, number, milliseconds) {
  for (const one of rounds.slice(number - 1)) {
    one.closes_at += milliseconds;
    if (one.round > number) one.opens_at += milliseconds;
  }
}
