/**
 * The proof of a record, carried out here and now: seal, chain, deal, shuffles, effects and end, whatever game it is of.
 *
 * What a move may do only the rules know, and they are not here: `cadogan verify` holds every move to them. Everything else of
 * a record is recomputed, and each finding says what was expected and what was found.
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
 * @property {Record<Check, "holds"|"partly"|"broken"|"open">} checks "open" was not checked, "partly" as far as it can be
 * @property {Finding[]} findings what is wrong, the earliest event first
 * @property {string[]} hashes of every event, as computed here
 * @property {string} seed
 * @property {Step[]} steps every position that the effects give, the deal first; empty where the effects were not followed
 */
import { START, link } from "./chain.js";
import { cardsOf, deal } from "./deal.js";
import { checkEnd } from "./end.js";
import { apply, difference, Impossible, permutation } from "./position.js";
import { SECRET_BYTES, commitment, seed } from "./seal.js";
import { order } from "./shuffle.js";

/**
 * @param {GameRecord} record
 * @param {Rules|null} rules of the record's game; without them deal, shuffles and effects stay open
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
  const sound = known && isSound(dealt);
  if (known && !sound) find(1, "deal", "piles");
  if (sound) checkDeal(dealt, rules, ours, find);
  const steps = sound ? follow(record, rules, ours, find) : [];
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

/** Whether nothing is wrong and nothing was left open that these checks could have shown. @param {Report} report */
export function holds(report) {
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
    const hash = link(before, stream, { ...event, version: place });
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
    const one = difference(computed, found);
    if (one) find(1, "deal", "cards", `${one.name}: ${one.expected}`, `${one.name}: ${one.found}`);
  } else if (cardsOf(computed) !== cardsOf(found)) {
    find(1, "deal", "pack", cardsOf(computed), cardsOf(found));
  }
}

/** Whether a deal has piles of cards and counters of numbers at all. @param {Record<string, any>} dealt */
function isSound({ piles, counters }) {
  const isMap = (/** @type {unknown} */ value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const isPile = (/** @type {unknown} */ pile) => Array.isArray(pile) && pile.every((card) => typeof card === "string");
  return isMap(piles) && isMap(counters) && Object.values(piles).every(isPile) && Object.values(counters).every(Number.isInteger);
}

/** Every position of the game, by its effects. @param {GameRecord} record @param {Rules} rules @param {string} ours @param {Find} find */
function follow({ events }, { deal: plan, layout }, ours, find) {
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
      const after = carriedOut(position, data, { down, seed: ours, version, find });
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
 * The position after a move; null where it cannot be.
 * @param {Position} position
 * @param {Record<string, any>} data
 * @param {{down: Set<string>, seed: string, version: number, find: Find}} how
 */
function carriedOut(position, data, { down, seed: ours, version, find }) {
  let after = position;
  for (const effect of Array.isArray(data.effects) ? data.effects : [null]) {
    try {
      const laid = permutation(String(effect));
      after = apply(after, String(effect), down);
      if (laid && !movesOneCard(laid)) {
        const drawn = order(laid.length, ours, `redeal.${position.counters.redeals ?? 0}`);
        if (String(drawn) !== String(laid)) find(version, "shuffles", "order", String(drawn), String(laid));
      }
    } catch (problem) {
      if (!(problem instanceof Impossible)) throw problem;
      find(version, "effects", "impossible", undefined, String(effect));
      return null;
    }
  }
  return after;
}

/** Whether an order but takes one card out and puts it back elsewhere, as some rules do. @param {number[]} laid */
function movesOneCard(laid) {
  const rises = (/** @type {number} */ without) => {
    const rest = laid.filter((_, place) => place !== without);
    return rest.every((from, place) => place === 0 || from > rest[place - 1]);
  };
  const first = laid.findIndex((from, place) => place > 0 && from < laid[place - 1]);
  return first < 0 || rises(first) || rises(first - 1);
}
