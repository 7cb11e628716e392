/**
 * Checks the record of a closed day: its seal, its hash chain, and the certificates of its deals.
 *
 * A certificate says by which moves a deal can be won. Its seal is checked, and with the rules of the game each effect of its line is
 * applied to the cards of the candidate. Whether the moves are legal, and whether the game is won after them, needs the rules, and so
 * does the search that found the candidate: `cadogan recompute` checks this.
 *
 * @typedef {{day: string, events: import("./chain.js").Recorded[]}} DayRecord
 * @typedef {import("./verify.js").Rules} Rules
 * @typedef {import("./verify.js").Find} Find
 * @typedef {{deal: string, candidate: number, rules_version: number, nodes: number, line: {move: string, effects: string[]}[]}} Certificate
 *
 * @typedef {Object} DayReport
 * @property {string} day
 * @property {Partial<Record<import("./verify.js").Check, import("./verify.js").State>>} checks
 * @property {import("./verify.js").Finding[]} findings what is wrong; the version is that of the event
 * @property {Certificate[]} certificates
 */
import { eventHashes } from "./chain.js";
import { isDayEvent } from "./day_events.js";
import { deal } from "./deal.js";
import { ImpossibleEffect, positionAfter } from "./position.js";
import { InvalidRecord, readFile, requireEvents } from "./record.js";
import { certificateSeal, commitment, dailyNonce, seed } from "./seal.js";

export const FORMAT = "cadogan day 1";
export const NOT_CHECKED = ["legality", "won", "search", "boards"];

const CANDIDATES = 50;
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
  requireEvents(record.events);
  return record;
}

/**
 * @param {DayRecord} record
 * @param {Rules[]} rules of its games, as far as there are any; without them the lines are not followed
 * @returns {DayReport}
 */
export function verifyDay(record, rules) {
  /** @type {import("./verify.js").Finding[]} */
  const findings = [];
  /** @type {Find} */
  const find = (version, check, reason, expected, found) => {
    findings.push({ version, check, reason, expected, found });
  };
  checkChain(record, find);
  const order = record.events.map(({ type }) => type).join(" ");
  const complete = ["daily_announced daily_closed", "daily_announced daily_opened daily_closed"].includes(order);
  if (!complete) find(0, "chain", "order", undefined, order);
  record.events.forEach((event, index) => {
    if (!isDayEvent(event)) find(index + 1, "chain", "data", undefined, event.type);
  });
  const sound = complete && record.events.every(isDayEvent);
  const followed = sound && checkDay(record, rules, find);
  const state = (/** @type {import("./verify.js").Check} */ check, /** @type {boolean} */ tried, full = true) => {
    if (findings.some((finding) => finding.check === check)) return "broken";
    if (!tried) return "open";
    return full ? "holds" : "partly";
  };
  return {
    day: record.day, findings, certificates: sound ? record.events[record.events.length - 1].data.certificates ?? [] : [],
    checks: {
      seal: state("seal", sound), chain: state("chain", true), certificates: state("certificates", sound),
      effects: state("effects", followed, false), shuffles: state("shuffles", followed),
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
 * Check what the events of a day say; returns whether the line of every certificate was followed.
 * @param {DayRecord} record
 * @param {Rules[]} rules
 * @param {Find} find
 */
function checkDay({ day, events }, rules, find) {
  const [announced, closed] = [events[0].data, events[events.length - 1].data];
  const last = events.length;
  const seals = events.length > 2 ? events[1].data.certificates ?? {} : {};
  /** @type {Certificate[]} */
  const certificates = closed.certificates ?? [];
  if (announced.day !== day) find(1, "seal", "day", day, announced.day);
  for (const one of announced.deals) {
    if (one.deal !== `${day}.${one.slot}`) find(1, "seal", "day", `${day}.${one.slot}`, one.deal);
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
    return known !== undefined && known.deal.whole && followLine(certificate, known, closed.secret, last, find);
  }).every(Boolean);
}

/**
 * Apply the effects of a line to the cards of its candidate; returns true.
 * @param {Certificate} certificate
 * @param {Rules} rules
 * @param {string} secret
 * @param {number} version
 * @param {Find} find
 */
function followLine({ deal: name, candidate, line }, { slug, deal: plan, layout }, secret, version, find) {
  const ours = seed(slug, dailyNonce(name, candidate), secret);
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
