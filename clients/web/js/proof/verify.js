/**
 * Checks whether a record is consistent: its seal, hash chain, deal, shuffles, effects and end, for any game.
 *
 * Whether a move is legal, the result, the score and the points are not checked here, because this needs the rules: `cadogan
 * verify` does it. Everything else in a record is computed again. Each finding says what was expected and what was found.
 *
 * @typedef {import("./record.js").GameRecord} GameRecord
 * @typedef {import("./deal.js").DealPlan} DealPlan
 * @typedef {import("./position.js").Position} Position
 * @typedef {"seal"|"chain"|"deal"|"shuffles"|"effects"|"end"|"kept"|"certificates"|"runs"|"log"|"beacon"} Check "kept" is that of `stored.js`, "certificates" of `day.js`, "runs" of `evening/`, "log" of `../transparency`; "beacon" is open until `checkBeacon`, and stays so where the signature cannot be verified
 * @typedef {"holds"|"partly"|"broken"|"open"} State "open": not checked; "partly": checked as far as possible
 * @typedef {{version: number, check: Check, reason: string, expected?: string, found?: string}} Finding at version 0: the record's head
 * @typedef {(version: number, check: Check, reason: string, expected?: string, found?: string) => void} Find
 * @typedef {{slug: string, rules_version: number, layout: {piles: {name: string}[]}, deal: DealPlan}} Rules as the server tells them
 * @typedef {{version: number, move: string|null, position: Position}} Step
 *
 * @typedef {Object} Report
 * @property {GameRecord} record
 * @property {Partial<Record<Check, State>>} checks
 * @property {Finding[]} findings what is wrong, the earliest event first
 * @property {string[]} hashes of all events, as computed here
 * @property {string} seed
 * @property {Step[]} steps all positions that the effects give, beginning with the deal; empty if the effects were not applied
 */
import { dayBegins, EVENING_DIGITS, isNonceEnd, NONCE_DIGITS, nonceEnd, roundOf, tryIsGenuine } from "./beacon.js";
import { eventHashes } from "./chain.js";
import { sortedCards, deal } from "./deal.js";
import { checkEnd } from "./end.js";
import { firstWrongKey } from "./event_data.js";
import { firstDifference, positionAfter } from "./position.js";
import { SECRET_BYTES, commitment, dailyNonce, seed } from "./seal.js";

/**
 * @param {GameRecord} record
 * @param {Rules|null} rules of the record's game; without them deal, shuffles and effects are not checked
 * @param {boolean} [keepSteps] whether the report has the positions, which in a long game take much memory
 * @returns {Report}
 */
export function verify(record, rules, keepSteps = true) {
  /** @type {Finding[]} */
  const findings = [];
  /** @type {Find} */
  const find = (version, check, reason, expected, found) => {
    findings.push({ version, check, reason, expected, found });
  };
  const dealt = dealOf(record);
  const ours = seed(dealt?.game ?? "", dailyNonce(record.nonce, dealt?.winnable?.candidate ?? 0), record.secret);
  checkSeal(record, find);
  if (dealt) {
    checkNames(record, dealt, find);
    checkRound(record, dealt, find);
  }
  const hashes = checkChain(record, find);
  const known = rules !== null && rules.slug === dealt?.game && rules.rules_version === dealt.rules_version;
  if (rules !== null && dealt && !known) {
    find(1, "deal", "rules", `${rules.slug} ${rules.rules_version}`, `${dealt.game} ${dealt.rules_version}`);
  }
  const sound = known && hasKnownPiles(dealt, rules);
  if (rules !== null && (known || !dealt) && !sound) find(1, "deal", "piles");
  if (sound) checkDeal(dealt, rules, ours, find);
  const steps = sound ? positionsOfGame(record, rules, ours, find, keepSteps) : [];
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
      ...(record.beacon || findings.some(({ check }) => check === "beacon") ? { beacon: state("beacon", false) } : {}),
    },
  };
}

/**
 * A report with what the signature of the beacon's round shows, if the record has one and it can be verified here. It takes some tenths of a second.
 * @param {Report} report
 * @returns {Promise<Report>}
 */
export async function checkBeacon(report) {
  const { record: { beacon }, findings, checks } = report;
  const fits = beacon ? await tryIsGenuine(beacon) : null;
  if (!beacon || fits === null) return report;
  if (fits) return checks.beacon === "open" ? { ...report, checks: { ...checks, beacon: "holds" } } : report;
  /** @type {Finding} */
  const finding = { version: 0, check: "beacon", reason: "signature", found: String(beacon.round) };
  return { ...report, findings: [finding, ...findings], checks: { ...checks, beacon: "broken" } };
}

/** Whether nothing is wrong and no check was left out. @param {Report} report */
export function isConsistent(report) {
  return report.findings.length === 0 && Object.values(report.checks).every((state) => state !== "open");
}

/** So many candidates a deal has. */
const CANDIDATES = 50;
/** The key that a competition may have, though its rules are not known here. */
const COMPETITION = /^(?!(?:casual|daily|race)$)[a-z][a-z0-9_]{1,19}$/;
const ROUND_OF_EVENING = /^[A-Za-z0-9_-]{1,64}\/[1-9]\d{0,8}$/;

/** What this verifier never checks, because it needs the rules of the game. */
export const NOT_CHECKED = ["legality", "result", "score", "points"];

/**
 * What a consistent record does not show. One without an end may have been cut, unless the log of a trusted host has it.
 * @param {Report} report
 * @returns {string[]} of rules, player, times, kept, winnable, end and alone
 */
export function notShown({ record, checks }) {
  const isLogged = checks.log === "holds";
  const hasEnd = isLogged || record.events.some(({ type }) => type === "game_finished");
  const kept = isLogged || checks.kept === "holds" ? [] : ["kept"];
  const winnable = record.events[0]?.data.winnable ? ["winnable"] : [];
  return ["rules", "player", "times", ...kept, ...winnable, ...(hasEnd ? [] : ["end"]), "alone"];
}

/** The data of the deal; null if the record does not begin with one. @param {GameRecord} record */
function dealOf({ events }) {
  return events.length > 0 && events[0].type === "game_dealt" && firstWrongKey("game_dealt", events[0].data) === null ? events[0].data : null;
}

/** @param {GameRecord} record @param {Find} find */
function checkSeal(record, find) {
  if (record.secret.length !== SECRET_BYTES * 2) find(0, "seal", "secret", String(SECRET_BYTES), String(record.secret.length / 2));
  const { beacon, nonce } = record;
  if (beacon && !isNonceEnd(nonce, beacon)) find(0, "beacon", "nonce", nonceEnd(beacon), nonce);
  const bound = commitment(record.secret);
  if (bound !== record.commitment) find(0, "seal", "commitment", record.commitment, bound);
  if (record.stream !== `game/${record.game}`) find(0, "chain", "stream", `game/${record.game}`, record.stream);
}

/** @param {GameRecord} record @param {Record<string, any>} dealt @param {Find} find */
function checkNames(record, dealt, find) {
  if (dealt.commitment !== record.commitment) find(1, "seal", "dealt_commitment", record.commitment, dealt.commitment);
  if (dealt.nonce !== record.nonce) find(1, "seal", "nonce", record.nonce, dealt.nonce);
  if (isOfOtherKind(dealt)) find(1, "seal", "kind");
  if (dealt.competition !== undefined && !COMPETITION.test(dealt.competition)) find(1, "seal", "competition", undefined, dealt.competition);
  if (dealt.competition === "puzzle" && (dealt.origin?.moves === undefined || dayBegins(dealt.about ?? "") === null)) find(1, "seal", "puzzle");
  if (dealt.competition === "virtual" && dealt.origin?.version !== 1) find(1, "seal", "virtual");
  if (dealt.day !== null) {
    const name = `${dealt.day}.${dealt.slot ?? 0}`;
    if (dayBegins(dealt.day) === null || dealt.deal !== name || !isCandidateNonce(dealt.nonce, name, NONCE_DIGITS)) find(1, "seal", "day", name, `${dealt.nonce}, ${dealt.deal}`);
  } else if (isOfEvening(dealt)) {
    const name = `evening-${(dealt.about ?? "").replace("/", "-")}`;
    if (!ROUND_OF_EVENING.test(dealt.about ?? "") || dealt.deal !== name || !isCandidateNonce(dealt.nonce, name, EVENING_DIGITS)) find(1, "seal", "evening", name, `${dealt.nonce}, ${dealt.deal}`);
  }
}

/** Whether a deal says what only games of another kind have. @param {Record<string, any>} dealt */
function isOfOtherKind({ day, slot, match, ranked, competition, about }) {
  const kinds = [day, match, competition ?? null].filter((one) => one !== null);
  return (slot === null) !== (day === null) || (ranked && day === null && match === null) || kinds.length > 1 || (about !== undefined && competition === undefined);
}

/**
 * Whether it is the nonce of a candidate for a deal: the deal's id, after a slash the candidate's number, from 1 to 49, and after an at
 * sign the digits of a round of the beacon.
 * @param {string} nonce
 * @param {string} deal
 * @param {number} digits
 */
function isCandidateNonce(nonce, deal, digits) {
  const [, , end] = /^(\/(?:[1-9]|[1-4]\d))?(@[0-9a-f]+)?$/.exec(nonce.slice(deal.length)) ?? [null, null, "?"];
  return nonce.startsWith(deal) && (end === undefined || end.length === 1 + digits);
}

/** Whether a game is played for an evening, also later as if its player had been there. @param {Record<string, any>} dealt */
const isOfEvening = ({ competition }) => competition === "evening" || competition === "virtual";

/** Check that cards which follow from a beacon come with the round at which their day began; that of an evening is in its own record. @param {GameRecord} record @param {Record<string, any>} dealt @param {Find} find */
function checkRound({ beacon }, dealt, find) {
  const follows = (dealt.day !== null || isOfEvening(dealt)) && dealt.nonce.includes("@");
  if (follows && !beacon) find(1, "beacon", "missing");
  if (!follows && beacon) find(1, "beacon", "unused");
  if (!follows || !beacon || dealt.day === null) return;
  const round = roundOf(beacon.chain, dealt.day);
  if (beacon.round !== round) find(1, "beacon", "round", String(round), String(beacon.round));
}

/** @param {GameRecord} record @param {Find} find @returns {string[]} */
function checkChain({ stream, events }, find) {
  const hashes = eventHashes(stream, events);
  events.forEach(({ version, hash, recorded_at: at }, index) => {
    const place = index + 1;
    if (version !== place) find(place, "chain", "version", String(place), String(version));
    if (hash !== hashes[index]) find(place, "chain", "hash", hashes[index], hash);
    if (index > 0 && at < events[index - 1].recorded_at) find(place, "chain", "time");
  });
  return hashes;
}

/** @param {Record<string, any>} dealt @param {Rules} rules @param {string} ours the seed @param {Find} find */
function checkDeal(dealt, rules, ours, find) {
  const { deal: plan, layout } = rules;
  const { number, winnable } = dealt;
  if (winnable && !(mayChoose(dealt) && number === undefined && winnable.candidate >= 0 && winnable.candidate < CANDIDATES)) {
    find(1, "deal", "winnable", undefined, String(winnable.candidate));
    return;
  }
  if (number !== undefined && !(mayChoose(dealt) && number >= 1 && number <= (plan.numbers ?? 0))) {
    find(1, "deal", "number", undefined, String(number));
    return;
  }
  const computed = deal(plan, layout.piles.map(({ name }) => name), ours, number);
  const found = { piles: dealt.piles, counters: dealt.counters };
  if (plan.whole) {
    const one = firstDifference(computed, found);
    if (one) find(1, "deal", "cards", `${one.name}: ${one.expected}`, `${one.name}: ${one.found}`);
    return;
  }
  if (sortedCards(computed) !== sortedCards(found)) find(1, "deal", "pack", sortedCards(computed), sortedCards(found));
  // Where the rules go on dealing they may change other counters, but never that of the redeals.
  const [names, others] = [computed, found].map(({ counters }) => `${Object.keys(counters).sort()} ${counters.redeals}`);
  if (names !== others) find(1, "deal", "counters", names, others);
}

/** Whether a game may have cards that its player has asked for. A try at a puzzle has those of the game that it comes from. @param {Record<string, any>} dealt */
const mayChoose = ({ day, match, competition = "puzzle" }) => day === null && match === null && competition === "puzzle";

/** Whether a deal names only piles of its game, and none that is empty. @param {Record<string, any>} dealt @param {Rules} rules */
function hasKnownPiles({ piles }, { layout }) {
  const names = new Set(layout.piles.map(({ name }) => name));
  return Object.entries(piles).every(([name, cards]) => names.has(name) && cards.length > 0);
}

/**
 * All positions of the game, from its effects.
 * @param {GameRecord} record
 * @param {Rules} rules
 * @param {string} ours
 * @param {Find} find
 * @param {boolean} keep whether all of them are returned, or only that of the deal
 */
function positionsOfGame({ events }, { deal: plan, layout }, ours, find, keep) {
  const down = new Set(plan.down);
  const empty = Object.fromEntries(layout.piles.map(({ name }) => [name, []]));
  let position = { piles: { ...empty, ...events[0].data.piles }, counters: { ...events[0].data.counters } };
  const led = events[0].data.origin?.moves ?? 0; // so many moves lead to the position of a puzzle, and stay
  let played = 0;
  /** @type {Position[]} */
  const past = [];
  /** @type {Step[]} */
  const steps = [{ version: 1, move: null, position }];
  for (const [index, { type, data }] of events.entries()) {
    const version = index + 1;
    if (type === "move_played") {
      const after = positionAfter(position, data, { down, seed: ours, version, find });
      if (after === null) return steps;
      if (played++ >= led) past.push(position);
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
    if (keep) steps.push({ version, move: type === "move_played" ? data.move : null, position });
  }
  return steps;
}
