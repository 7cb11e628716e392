/**
 * Checks the record of a closed day: its seal, its hash chain, and the certificates of its deals.
 *
 * A certificate says by which moves a deal can be won. Its seal is checked, and with the rules of the game each effect of its line is
 * applied to the cards of the candidate. Whether the moves are legal, and whether the game is won after them, needs the rules, and so
 * does the search that found the candidate: `cadogan recompute` checks this.
 *
 * @typedef {{day: string, proof?: string|null, announcement?: string|null, events: import("./chain.js").Recorded[]}} DayRecord
 * @typedef {import("./verify.js").Rules} Rules
 * @typedef {import("./verify.js").Find} Find
 * @typedef {{deal: string, candidate: number, rules_version: number, nodes: number, line: {move: string, effects: string[]}[]}} Certificate
 *
 * @typedef {Object} DayReport
 * @property {string} day
 * @property {import("./beacon.js").SignedRound|null} beacon the round from which the cards follow beside the secret; null if from the secret alone
 * @property {import("./beacon.js").Round|null} promised the round that was announced
 * @property {Partial<Record<import("./verify.js").Check, import("./verify.js").State>>} checks
 * @property {import("./verify.js").Finding[]} findings what is wrong; the version is that of the event
 * @property {Certificate[]} certificates
 * @property {string[]} late which moments were late: `announced` if the day had begun, `closed` if it had ended more than a day before
 */
import { dayBegins, nonceEnd, roundOf, signedAt, tryIsGenuine } from "./beacon.js";
import { eventHashes } from "./chain.js";
import { isDayEvent } from "./events/day_events.js";
import { deal } from "./deal.js";
import { ImpossibleEffect, positionAfter } from "./position.js";
import { InvalidRecord, must, readFile, requireEvents } from "./record.js";
import { certificateSeal, commitment, dailyNonce, seed } from "./seal.js";

export const FORMAT = "cadogan day 1";
export const NOT_CHECKED = ["legality", "won", "search", "boards"];

const CANDIDATES = 50;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const SECRET = /^[0-9a-f]{64}$/;

/**
 * The record of a day in a file.
 * @param {ArrayBuffer|Uint8Array|string} file its bytes, or its text
 * @returns {DayRecord}
 * @throws {InvalidRecord}
 */
export function readDay(file) {
  const record = readFile(file, FORMAT);
  if (typeof record.day !== "string") throw new InvalidRecord("day");
  for (const name of ["proof", "announcement"]) must(typeof (record[name] ?? "") === "string", name);
  requireEvents(record.events);
  return record;
}

/**
 * @param {DayRecord} record
 * @param {Rules[]} rules of its games, as far as there are any; without them the lines are not followed
 * @returns {Promise<DayReport>}
 */
export async function verifyDay(record, rules) {
  /** @type {import("./verify.js").Finding[]} */
  const findings = [];
  /** @type {Find} */
  const find = (version, check, reason, expected, found) => {
    findings.push({ version, check, reason, expected, found });
  };
  checkChain(record, find);
  const order = record.events.map(({ type }) => type).join(" ");
  const complete = /^daily_announced (daily_drawn )?(daily_opened )?daily_closed$/.test(order);
  if (!complete) find(0, "chain", "order", undefined, order);
  record.events.forEach((event, index) => {
    if (!isDayEvent(event)) find(index + 1, "chain", "data", undefined, event.type);
  });
  const sound = complete && record.events.every(isDayEvent);
  const late = sound ? checkTimes(record, find) : [];
  const { beacon, verified } = sound ? await checkBeacon(record, find) : { beacon: null, verified: false };
  const followed = sound && checkDay(record, rules, beacon ? nonceEnd(beacon) : "", find);
  const state = (/** @type {import("./verify.js").Check} */ check, /** @type {boolean} */ tried, full = true) => {
    if (findings.some((finding) => finding.check === check)) return "broken";
    if (!tried) return "open";
    return full ? "holds" : "partly";
  };
  return {
    day: record.day, beacon, late, promised: sound ? record.events[0].data.beacon ?? null : null, findings, certificates: sound ? record.events[record.events.length - 1].data.certificates ?? [] : [],
    checks: {
      seal: state("seal", sound), chain: state("chain", true), certificates: state("certificates", sound),
      effects: state("effects", followed, false), shuffles: state("shuffles", followed),
      ...(sound && record.events[0].data.beacon ? { beacon: state("beacon", verified, beacon !== null) } : {}),
    },
  };
}

/** @param {DayRecord} record @param {Find} find */
function checkChain({ day, events }, find) {
  const hashes = eventHashes(`daily/${day}`, events);
  events.forEach(({ version, hash }, index) => {
    if (version !== index + 1) find(index + 1, "chain", "version", String(index + 1), String(version));
    if (hash !== hashes[index]) find(index + 1, "chain", "hash", hashes[index], hash);
  });
}

/**
 * Check that the events have times at which a server may write them, in order; returns which moments were late.
 * @param {DayRecord} record
 * @param {Find} find
 */
function checkTimes({ day, events }, find) {
  const opens = dayBegins(day);
  if (opens === null) {
    find(0, "chain", "day", undefined, day);
    return [];
  }
  const ends = opens + DAY_MILLISECONDS;
  events.forEach(({ type, recorded_at: at }, index) => {
    const [from, until] = type === "daily_closed" ? [ends, Infinity] : [type === "daily_announced" ? 0 : opens, ends];
    if (index > 0 && at < events[index - 1].recorded_at) find(index + 1, "chain", "time");
    if (at < from || at >= until) find(index + 1, "chain", "calendar", undefined, String(at));
  });
  const isLate = { announced: events[0].recorded_at > opens, closed: events[events.length - 1].recorded_at > ends + DAY_MILLISECONDS };
  return Object.entries(isLate).filter(([, late]) => late).map(([moment]) => moment);
}

/**
 * Check the round of the beacon that was announced, and its signature; returns the round, or null if the cards follow from the secret alone.
 * `verified` is false if the signature could not be verified here.
 * @param {DayRecord} record
 * @param {Find} find
 * @returns {Promise<{beacon: import("./beacon.js").SignedRound|null, verified: boolean}>}
 */
async function checkBeacon({ day, events }, find) {
  const { data: { beacon: promised }, recorded_at: at } = events[0];
  const drawn = events.find(({ type }) => type === "daily_drawn");
  const isOpened = events.some(({ type }) => type === "daily_opened");
  if (!promised || !drawn) {
    if (drawn) find(2, "beacon", "unused");
    if (promised && isOpened && !drawn) find(2, "beacon", "missing");
    return { beacon: null, verified: true };
  }
  const round = roundOf(promised.chain, day);
  if (promised.round !== round) find(1, "beacon", "round", String(round), String(promised.round));
  if (at >= signedAt(promised)) find(1, "beacon", "late");
  if (drawn.data.signature === null) return { beacon: null, verified: true };
  const signed = { ...promised, signature: drawn.data.signature };
  const fits = await tryIsGenuine(signed);
  if (fits === false) find(2, "beacon", "signature", undefined, String(promised.round));
  return { beacon: signed, verified: fits !== null };
}

/**
 * Check what the events of a day say; returns whether the line of every certificate was followed.
 * @param {DayRecord} record
 * @param {Rules[]} rules
 * @param {string} end what the round of the beacon adds to the nonces
 * @param {Find} find
 */
function checkDay({ day, events }, rules, end, find) {
  const [announced, closed] = [events[0].data, events[events.length - 1].data];
  const last = events.length;
  const seals = events.find(({ type }) => type === "daily_opened")?.data.certificates ?? {};
  /** @type {Certificate[]} */
  const certificates = closed.certificates ?? [];
  if (announced.day !== day) find(1, "seal", "day", day, announced.day);
  const named = new Set();
  for (const one of announced.deals) {
    if (one.deal !== `${day}.${one.slot}`) find(1, "seal", "day", `${day}.${one.slot}`, one.deal);
    if (named.has(one.deal)) find(1, "seal", "twice", undefined, one.deal);
    named.add(one.deal);
  }
  const bound = SECRET.test(closed.secret) ? commitment(closed.secret) : "";
  if (bound !== announced.commitment) {
    find(last, "seal", "commitment", announced.commitment, bound);
    return false;
  }
  const [sealed, published] = [Object.keys(seals).sort().join(" "), certificates.map((one) => one.deal).sort().join(" ")];
  if (sealed !== published) find(last, "certificates", "missing", sealed, published);
  return certificates.map((certificate) => {
    const dealt = announced.deals.find((/** @type {any} */ one) => one.deal === certificate.deal && (one.search ?? null) !== null);
    if (!dealt) {
      find(last, "certificates", "deal", undefined, certificate.deal);
      return false;
    }
    if (certificate.candidate < 0 || certificate.candidate >= CANDIDATES) {
      find(last, "certificates", "candidate", undefined, String(certificate.candidate));
    }
    const seal = certificateSeal(closed.secret, certificate);
    if (seals[certificate.deal] !== seal) find(last, "certificates", "seal", seals[certificate.deal], seal);
    const known = rules.find((one) => one.slug === dealt.game && one.rules_version === certificate.rules_version);
    return known !== undefined && known.deal.whole && followLine(certificate, known, closed.secret, { end, version: last, find });
  }).every(Boolean);
}

/**
 * Apply the effects of a line to the cards of its candidate; returns true.
 * @param {Certificate} certificate
 * @param {Rules} rules
 * @param {string} secret
 * @param {{end: string, version: number, find: Find}} of the end of the nonces, and the event that has the line
 */
function followLine({ deal: name, candidate, line }, { slug, deal: plan, layout }, secret, { end, version, find }) {
  const ours = seed(slug, dailyNonce(name, candidate, end), secret);
  const down = new Set(plan.down);
  try {
    let position = deal(plan, layout.piles.map((pile) => pile.name), ours);
    for (const move of line) {
      const after = positionAfter(position, move, { down, seed: ours, version, find });
      if (after === null) return true;
      position = after;
    }
  } catch (problem) {
    if (!(problem instanceof ImpossibleEffect)) throw problem;
    find(version, "effects", "impossible", undefined, name);
  }
  return true;
}
