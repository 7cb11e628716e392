/**
 * Proves or refutes a record: its seal, hash chain, deal, shuffles, effects and end, for any game.
 *
 * Whether a move is legal is not checked here, because this needs the rules: `cadogan verify` does it. Everything else in a
 * record is computed again. Each finding says what was expected and what was found.
 *
 * @typedef {import("./record.js").GameRecord} GameRecord
 * @typedef {import("./deal.js").DealPlan} DealPlan
 * @typedef {import("./position.js").Position} Position
 * @typedef {"seal"|"chain"|"deal"|"shuffles"|"effects"|"end"} Check
 * @typedef {{version: number, check: Check, reason: string, expected?: string, found?: string}} Finding at version 0: the record's head
 * @typedef {(version: number, check: Check, reason: string, expected?: string, found?: string) => void} Find
 * @typedef {{slug: string, rules_version: number, layout: {piles: {name: string}[]}, deal: DealPlan}} Rules as the server tells them
 * @typedef {{version: number, move: string|null, position: Position}} Step
 *
 * @typedef {Object} Report
 * @property {GameRecord} record
 * @property {Record<Check, "holds"|"partly"|"broken"|"open">} checks "open": not checked; "partly": checked as far as possible
 * @property {Finding[]} findings what is wrong, the earliest event first
 * @property {string[]} hashes of all events, as computed here
 * @property {string} seed
 * @property {Step[]} steps all positions that the effects give, beginning with the deal; empty if the effects were not applied
 */
import { START, eventHash } from "./chain.js";
import { sortedCards, deal } from "./deal.js";
import { checkEnd } from "./end.js";
import { applyEffect, firstDifference, ImpossibleEffect, permutation } from "./position.js";
import { SECRET_BYTES, commitment, seed } from "./seal.js";
import { shuffledPlaces } from "./shuffle.js";

/**
 * @param {GameRecord} record
 * @param {Rules|null} rules of the record's game; without them deal, shuffles and effects are not checked
 * @returns {Report}
 */
export function verify(record, rules) {
  /** @type {Finding[]} */
  const findings = [];
  /** @type {Find} */
  const find = (version, check, reason, expected, found) => {
    findings.push({ version, check, reason, expected, found });
  };
  const dealt = record.events[0]?.data ?? {};
  const ours = seed(String(dealt.game), record.nonce, record.secret);
  checkSeal(record, dealt, find);
  const hashes = checkChain(record, find);
  const known = rules !== null && rules.slug === dealt.game && rules.rules_version === dealt.rules_version;
  if (rules !== null && !known) {
    find(1, "deal", "rules", `${rules.slug} ${rules.rules_version}`, `${dealt.game} ${dealt.rules_version}`);
  }
  const sound = known && hasValidPiles(dealt);
  if (known && !sound) find(1, "deal", "piles");
  if (sound) checkDeal(dealt, rules, ours, find);
  const steps = sound ? positionsOfGame(record, rules, ours, find) : [];
  checkEnd(record, find);
  findings.sort((one, other) => one.version - other.version);
  const state = (/** @type {Check} */ check, /** @type {boolean} */ tried, full = true) => {
    if (findings.some((finding) => finding.check === check)) return "broken";
    if (!tried) return "open";
    return full ? "holds" : "partly";
  };
  return {
    record, findings, hashes, seed: ours, steps,
    checks: {
      seal: state("seal", true), chain: state("chain", true), deal: state("deal", known, rules?.deal.whole),
      shuffles: state("shuffles", known), effects: state("effects", known), end: state("end", true, false),
    },
  };
}

/** Whether nothing is wrong and no check was left out. @param {Report} report */
export function isProven(report) {
  return report.findings.length === 0 && Object.values(report.checks).every((state) => state !== "open");
}

/** @param {GameRecord} record @param {Record<string, any>} dealt @param {Find} find */
function checkSeal(record, dealt, find) {
  if (record.secret.length !== SECRET_BYTES * 2) find(0, "seal", "secret", String(SECRET_BYTES), String(record.secret.length / 2));
  const bound = commitment(record.secret);
  if (bound !== record.commitment) find(0, "seal", "commitment", record.commitment, bound);
  if (record.stream !== `game/${record.game}`) find(0, "chain", "stream", `game/${record.game}`, record.stream);
  if (record.events.length === 0) return;
  if (dealt.commitment !== record.commitment) find(1, "seal", "dealt_commitment", record.commitment, String(dealt.commitment));
  if (dealt.nonce !== record.nonce) find(1, "seal", "nonce", record.nonce, String(dealt.nonce));
  if (typeof dealt.day === "string") {
    const name = `${dealt.day}.${dealt.slot}`;
    if (dealt.nonce !== name || dealt.deal !== name) find(1, "seal", "day", name, `${dealt.nonce}, ${dealt.deal}`);
  }
}

/** @param {GameRecord} record @param {Find} find @returns {string[]} */
function checkChain({ stream, events }, find) {
  let before = START;
  return events.map((event, index) => {
    const place = index + 1;
    if (event.version !== place) find(place, "chain", "version", String(place), String(event.version));
    const hash = eventHash(before, stream, { ...event, version: place });
    if (hash !== event.hash) find(place, "chain", "hash", hash, event.hash);
    if (index > 0 && event.recorded_at < events[index - 1].recorded_at) find(place, "chain", "time");
    before = event.hash;
    return hash;
  });
}

/** @param {Record<string, any>} dealt @param {Rules} rules @param {string} ours the seed @param {Find} find */
function checkDeal(dealt, rules, ours, find) {
  const { deal: plan, layout } = rules;
  const computed = deal(plan, layout.piles.map(({ name }) => name), ours);
  const found = { piles: dealt.piles, counters: dealt.counters };
  if (plan.whole) {
    const one = firstDifference(computed, found);
    if (one) find(1, "deal", "cards", `${one.name}: ${one.expected}`, `${one.name}: ${one.found}`);
  } else if (sortedCards(computed) !== sortedCards(found)) {
    find(1, "deal", "pack", sortedCards(computed), sortedCards(found));
  }
}

/** Whether a deal has piles of cards and counters with integers. @param {Record<string, any>} dealt */
function hasValidPiles({ piles, counters }) {
  const isMap = (/** @type {unknown} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const isPile = (/** @type {unknown} */ pile) => Array.isArray(pile) && pile.every((card) => typeof card === "string");
  return isMap(piles) && isMap(counters) && Object.values(piles).every(isPile) && Object.values(counters).every(Number.isInteger);
}

/**
 * All positions of the game, from its effects.
 * @param {GameRecord} record
 * @param {Rules} rules
 * @param {string} ours
 * @param {Find} find
 */
function positionsOfGame({ events }, { deal: plan, layout }, ours, find) {
  const down = new Set(plan.down);
  const empty = Object.fromEntries(layout.piles.map(({ name }) => [name, []]));
  let position = { piles: { ...empty, ...events[0].data.piles }, counters: { ...events[0].data.counters } };
  /** @type {Position[]} */
  const past = [];
  /** @type {Step[]} */
  const steps = [{ version: 1, move: null, position }];
  for (const [index, { type, data }] of events.entries()) {
    const version = index + 1;
    if (type === "move_played") {
      const after = positionAfter(position, data, { down, seed: ours, version, find });
      if (after === null) return steps;
      past.push(position);
      position = after;
    } else if (type === "move_taken_back") {
      const before = past.pop();
      if (before === undefined) {
        find(version, "effects", "nothing_to_take_back");
        return steps;
      }
      position = before;
    } else {
      continue;
    }
    steps.push({ version, move: type === "move_played" ? data.move : null, position });
  }
  return steps;
}

/**
 * The position after a move; null if an effect is impossible.
 * @param {Position} position
 * @param {Record<string, any>} data
 * @param {{down: Set<string>, seed: string, version: number, find: Find}} how
 */
function positionAfter(position, data, { down, seed: ours, version, find }) {
  let after = position;
  for (const effect of Array.isArray(data.effects) ? data.effects : [null]) {
    try {
      const laid = permutation(String(effect));
      after = applyEffect(after, String(effect), down);
      if (laid && !movesOneCard(laid)) {
        const drawn = shuffledPlaces(laid.length, ours, `redeal.${position.counters.redeals ?? 0}`);
        if (String(drawn) !== String(laid)) find(version, "shuffles", "order", String(drawn), String(laid));
      }
    } catch (problem) {
      if (!(problem instanceof ImpossibleEffect)) throw problem;
      find(version, "effects", "impossible", undefined, String(effect));
      return null;
    }
  }
  return after;
}

/** Whether an order only takes one card out and puts it elsewhere, as some rules do. @param {number[]} laid */
function movesOneCard(laid) {
  const rises = (/** @type {number} */ without) => {
    const rest = laid.filter((_, place) => place !== without);
    return rest.every((from, place) => place === 0 || from > rest[place - 1]);
  };
  const first = laid.findIndex((from, place) => place > 0 && from < laid[place - 1]);
  return first < 0 || rises(first) || rises(first - 1);
}
