/**
 * Checks the record of an evening with the records of its runs: the hash chain, the clock, the seals, certificates and the beacon, that
 * each run is one of the evening, and that the standing has the digest that was written down.
 *
 * Whether the standing follows from the runs needs the rules of scoring: `cadogan recompute` scores them again.
 *
 * @typedef {import("./evening_clock.js").Evening} Evening
 * @typedef {import("../verify.js").Find} Find
 * @typedef {{evening: string, proof?: string|null, announcement?: string|null, events: import("../chain.js").Recorded[], runs: string[], standing: any}} EveningRecord
 *
 * @typedef {Object} EveningReport
 * @property {Partial<Record<import("../verify.js").Check, import("../verify.js").State>>} checks
 * @property {import("../verify.js").Finding[]} findings what is wrong; the version is that of the event
 * @property {string[]} missing the runs whose records were not given
 */
import { canonicalJson } from "../../hashing/canonical_json.js";
import { hex, join, sha256 } from "../../hashing/sha256.js";
import { EVENING_DIGITS, nonceEnd, signedAt, tryIsGenuine } from "../beacon.js";
import { eventHashes } from "../chain.js";
import { isEveningEvent, isStanding, kindOf } from "../events/evening_events.js";
import { must, readFile, requireEvents } from "../record.js";
import { certificateSeal, commitment, dailyNonce, derivedId } from "../seal.js";
import { announced, follow, mayFollow } from "./evening_clock.js";

export const FORMAT = "cadogan evening record 1";
export const NOT_CHECKED = ["standing", "legality", "won", "search"];

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const DRAWN_BEFORE_MILLISECONDS = 600_000;
const MIN_AHEAD_MILLISECONDS = 30_000;
const CANDIDATES = 50;

/**
 * The record of an evening in a file.
 * @param {ArrayBuffer|Uint8Array|string} file its bytes, or its text
 * @returns {EveningRecord}
 * @throws {import("../record.js").InvalidRecord}
 */
export function readEvening(file) {
  const record = readFile(file, FORMAT);
  must(typeof record.evening === "string" && ID.test(record.evening), "evening");
  for (const name of ["proof", "announcement"]) must(typeof (record[name] ?? "") === "string", name);
  must(Array.isArray(record.runs) && record.runs.every((/** @type {unknown} */ one) => typeof one === "string"), "runs");
  requireEvents(record.events);
  return record;
}

/**
 * @param {EveningRecord} record
 * @param {import("../verify.js").Report[]} runs the reports on the records of runs that are there
 * @returns {Promise<EveningReport>}
 */
export async function verifyEvening(record, runs) {
  /** @type {import("../verify.js").Finding[]} */
  const findings = [];
  /** @type {Find} */
  const find = (version, check, reason, expected, found) => {
    findings.push({ version, check, reason, expected, found });
  };
  const evening = checkEvents(record, find);
  const last = record.events.length;
  const beacon = evening ? await checkBeacon(evening, record.events[0].recorded_at, find) : null;
  if (evening) {
    checkDeals(record.evening, evening, find);
    checkCertificates(evening, last, find);
    checkRuns(record, evening, runs, nonceEndOf(evening), find);
    checkDigest(record, evening, find);
  }
  const given = new Set(runs.map((run) => run.record.game));
  const missing = record.runs.filter((run) => !given.has(run));
  const state = (/** @type {import("../verify.js").Check} */ check, /** @type {boolean} */ tried, full = true) => {
    if (findings.some((finding) => finding.check === check)) return "broken";
    return tried ? (full ? "holds" : "partly") : "open";
  };
  const sound = evening !== null;
  return {
    findings, missing,
    checks: {
      seal: state("seal", sound), chain: state("chain", true),
      ...(evening?.certificates.size ? { certificates: state("certificates", sound, false) } : {}),
      ...(evening?.plan.beacon ? { beacon: state("beacon", beacon !== null) } : {}),
      runs: state("runs", sound, missing.length === 0), end: state("end", sound && !evening.voided),
    },
  };
}

/** The evening after its last event; null if its events cannot be followed. @param {EveningRecord} record @param {Find} find */
function checkEvents({ evening: id, events }, find) {
  const hashes = eventHashes(`evening/${id}`, events);
  const before = (/** @type {number} */ index) => events[index - 1]?.recorded_at ?? 0;
  /** @type {Evening|null} */
  let evening = null;
  for (const [index, event] of events.entries()) {
    const place = index + 1;
    if (event.version !== place) find(place, "chain", "version", String(place), String(event.version));
    if (event.hash !== hashes[index]) find(place, "chain", "hash", hashes[index], event.hash);
    if (event.recorded_at < before(index)) find(place, "chain", "time");
    const fits = isEveningEvent(event) && (index === 0 ? kindOf(event) === "announced" : evening && mayFollow(evening, event));
    if (!fits) {
      find(place, "chain", isEveningEvent(event) ? "order" : "data", undefined, event.type);
      return null;
    }
    if (evening) follow(evening, event);
    else evening = announced(event.data, event.recorded_at);
  }
  if (evening?.final || evening?.voided) return evening;
  find(0, "chain", "order", undefined, events.map(({ type }) => type).join(" "));
  return null;
}

/** Check the names of the deals, and the secrets that are revealed. @param {string} id @param {Evening} evening @param {Find} find */
function checkDeals(id, { rounds, secrets }, find) {
  for (const { round, deal } of rounds) {
    if (deal !== `evening-${id}-${round}`) find(1, "seal", "evening", `evening-${id}-${round}`, deal);
  }
  for (const [round, secret] of secrets) {
    const one = rounds[round - 1];
    if (one?.commitment !== commitment(secret)) find(0, "seal", "commitment", one?.commitment, commitment(secret));
  }
}

/**
 * Check the round of the beacon and its signature; null if the signature could not be verified here.
 * @param {Evening} evening
 * @param {number} at when it was announced
 * @param {Find} find
 */
async function checkBeacon({ plan, signature }, at, find) {
  const { beacon: promised, entry_opens_at: entry, rounds } = plan;
  if (!promised) return false;
  const { genesis_time: genesis, period } = promised.chain;
  const moment = Math.max(rounds[0].opens_at - DRAWN_BEFORE_MILLISECONDS, entry + MIN_AHEAD_MILLISECONDS);
  const round = Math.max(Math.ceil((moment / 1000 - genesis) / period), 0) + 1;
  if (promised.round !== round) find(1, "beacon", "round", String(round), String(promised.round));
  if (at >= signedAt(promised)) find(1, "beacon", "late");
  if (!signature) return false;
  const fits = await tryIsGenuine({ ...promised, signature });
  if (fits === false) find(0, "beacon", "signature", undefined, String(promised.round));
  return fits;
}

/** What the round of the beacon adds to the nonces. @param {Evening} evening */
function nonceEndOf({ plan, signature }) {
  return plan.beacon && signature ? nonceEnd({ ...plan.beacon, signature }).slice(0, 1 + EVENING_DIGITS) : "";
}

/** Check that each certificate was promised, and fits the seal with which its round opened. @param {Evening} evening @param {number} last @param {Find} find */
function checkCertificates({ rounds, seals, secrets, certificates }, last, find) {
  for (const [round, { deal }] of certificates) if (!rounds[round - 1]) find(last, "certificates", "deal", undefined, deal);
  for (const { round, deal, search } of rounds) {
    const [seal, one, secret] = [seals.get(round), certificates.get(round), secrets.get(round)];
    if (seal && !search) find(last, "certificates", "deal", undefined, deal);
    if (!secret || (!seal && !one)) continue;
    if (!seal || !one) find(last, "certificates", "missing", seal, one && deal);
    else if (one.candidate < 0 || one.candidate >= CANDIDATES) find(last, "certificates", "candidate", undefined, String(one.candidate));
    else if (one.deal !== deal || certificateSeal(secret, one) !== seal) find(last, "certificates", "seal", seal, certificateSeal(secret, one));
  }
}

/**
 * Check that the records of runs hold, and are those of entrants of this evening, of its rounds and with their cards.
 * @param {EveningRecord} record
 * @param {Evening} evening
 * @param {import("../verify.js").Report[]} runs
 * @param {string} end of the nonces
 * @param {Find} find
 */
function checkRuns({ evening: id, runs: named }, { rounds, secrets, certificates, entrants }, runs, end, find) {
  const expected = new Map(rounds.flatMap((round) => {
    const secret = secrets.get(round.round);
    return secret ? [...entrants].map((player) => /** @type {const} */ ([derivedId(secret, round.deal, player), { round, secret, player }])) : [];
  }));
  for (const game of named) if (!expected.has(game)) find(0, "runs", "stranger", undefined, game);
  for (const { record, findings } of runs) {
    const { game, nonce, secret, events } = record;
    const own = expected.get(game);
    if (!own || !named.includes(game)) {
      find(0, "runs", "stranger", undefined, game);
      continue;
    }
    const dealt = events[0]?.data ?? {};
    const said = [dealt.competition, dealt.about, dealt.player, dealt.deal, dealt.game].join(" ");
    const right = ["evening", `${id}/${own.round.round}`, own.player, own.round.deal, own.round.game].join(" ");
    const nonceOfRound = dailyNonce(own.round.deal, certificates.get(own.round.round)?.candidate ?? 0, end);
    if (findings.length) find(0, "runs", "broken", undefined, game);
    else if (said !== right) find(0, "runs", "other", right, said);
    else if (secret !== own.secret || nonce !== nonceOfRound) find(0, "runs", "cards", nonceOfRound, nonce);
    else if (!events.some(({ type }) => type === "game_finished")) find(0, "runs", "cut", undefined, game);
  }
}

/** Check that the standing in the record has the digest that was written down, or is empty if the evening is void. @param {EveningRecord} record @param {Evening} evening @param {Find} find */
function checkDigest({ evening: id, events, standing }, { final, voided }, find) {
  if (voided && (standing?.state !== "void" || standing.digest !== undefined || standing.standings?.length !== 0 || standing.teams?.length !== 0)) find(events.length, "end", "void");
  if (!final) return;
  const version = events.findIndex((event) => kindOf(event) === "finalised") + 1;
  const { evening, version: rules, state, standings, teams = [] } = isStanding(standing) ? standing : /** @type {any} */ ({});
  const digest = hex(sha256(join("cadogan/evening/1\0", canonicalJson({ evening, version: rules, state, standings, teams }))));
  if (evening !== id || digest !== final.digest) find(version, "end", "digest", final.digest, digest);
}
