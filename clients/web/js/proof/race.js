/**
 * Checks the record of a race: its hash chain, its seal, who took part, and that the results are in their order.
 *
 * That a result follows from the moves is shown by the record of each game.
 *
 * @typedef {{race: string, proof?: string|null, events: import("./chain.js").Recorded[]}} RaceRecord
 * @typedef {import("./verify.js").Find} Find
 *
 * @typedef {Object} RaceReport
 * @property {Partial<Record<import("./verify.js").Check, import("./verify.js").State>>} checks
 * @property {import("./verify.js").Finding[]} findings what is wrong; the version is that of the event
 */
import { eventHashes } from "./chain.js";
import { isRaceEvent } from "./events/race_events.js";
import { InvalidRecord, must, readFile, requireEvents } from "./record.js";
import { commitment, derivedId, sharedNonce } from "./seal.js";

export const FORMAT = "cadogan race 1";
export const NOT_CHECKED = ["results"];

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const SECRET = /^[0-9a-f]{64}$/;
const ORDER = /^match_opened (?:player_joined |player_left )*match_started match_finished(?: rematch_opened)?$/;

/**
 * The record of a race in a file.
 * @param {ArrayBuffer|Uint8Array|string} file its bytes, or its text
 * @returns {RaceRecord}
 * @throws {InvalidRecord}
 */
export function readRace(file) {
  const record = readFile(file, FORMAT);
  must(typeof record.race === "string" && ID.test(record.race), "race");
  must(typeof (record.proof ?? "") === "string", "proof");
  requireEvents(record.events);
  return record;
}

/** @param {RaceRecord} record @returns {RaceReport} */
export function verifyRace(record) {
  /** @type {import("./verify.js").Finding[]} */
  const findings = [];
  /** @type {Find} */
  const find = (version, check, reason, expected, found) => {
    findings.push({ version, check, reason, expected, found });
  };
  const { race, events } = record;
  const hashes = eventHashes(`match/${race}`, events);
  events.forEach((event, index) => {
    const place = index + 1;
    if (event.version !== place) find(place, "chain", "version", String(place), String(event.version));
    if (event.hash !== hashes[index]) find(place, "chain", "hash", hashes[index], event.hash);
    if (index > 0 && event.recorded_at < events[index - 1].recorded_at) find(place, "chain", "time");
    if (!isRaceEvent(event)) find(place, "chain", "data", undefined, event.type);
  });
  const order = events.map(({ type }) => type).join(" ");
  const complete = ORDER.test(order);
  if (!complete) find(0, "chain", "order", undefined, order);
  const sound = complete && events.every(isRaceEvent);
  if (sound) checkRace(record, find);
  const state = (/** @type {import("./verify.js").Check} */ check, /** @type {boolean} */ tried) =>
    findings.some((finding) => finding.check === check) ? "broken" : tried ? "holds" : "open";
  return { findings, checks: { seal: state("seal", sound), chain: state("chain", true), end: state("end", sound) } };
}

/** @param {RaceRecord} record @param {Find} find */
function checkRace({ race, events }, find) {
  const opened = events[0].data;
  const at = events.findIndex(({ type }) => type === "match_started");
  const [started, finished, rematch] = events.slice(at).map(({ data }) => data);
  const racers = racersOf(events.slice(0, at), find);
  if (opened.deal !== `race-${race}`) find(1, "seal", "deal", `race-${race}`, opened.deal);
  if (racers.length < 2) find(at + 1, "chain", "players", undefined, String(racers.length));
  const nonce = sharedNonce(racers.map((racer) => racer.nonce));
  if (started.nonce !== nonce) find(at + 1, "seal", "nonce", nonce, started.nonce);
  if (started.starts_at < events[at - 1].recorded_at + 1000 * opened.countdown) find(at + 1, "chain", "time");
  if (events[at + 1].recorded_at < started.starts_at) find(at + 2, "chain", "time");
  const bound = SECRET.test(finished.secret) ? commitment(finished.secret) : "";
  if (bound !== opened.commitment) return find(at + 2, "seal", "commitment", opened.commitment, bound);
  checkResults(race, racers.map(({ player }) => player), finished, at + 2, find);
  if (rematch && rematch.match !== derivedId(finished.secret, "rematch", race)) find(at + 3, "chain", "rematch", undefined, rematch.match);
}

/**
 * Who takes part after these events, in the order of joining; finds who could not join or leave.
 * @param {import("./chain.js").Recorded[]} events
 * @param {Find} find
 * @returns {{player: string, nonce: string}[]}
 */
function racersOf([{ data: opened }, ...events], find) {
  /** @type {{player: string, nonce: string}[]} */
  let racers = [];
  let invited = opened.invited;
  for (const { type, version, data } of events) {
    const isRacer = racers.some(({ player }) => player === data.player);
    const others = invited.filter((/** @type {string} */ one) => one !== data.player);
    const isPossible = type === "player_left"
      ? isRacer || invited.includes(data.player)
      : !isRacer && racers.length + others.length < opened.size;
    if (!isPossible) find(version, "chain", "players", undefined, data.player);
    invited = others;
    racers = racers.filter(({ player }) => player !== data.player);
    if (type === "player_joined") racers.push({ player: data.player, nonce: data.nonce });
  }
  return racers;
}

/** @param {string} race @param {string[]} players @param {Record<string, any>} finished @param {number} version @param {Find} find */
function checkResults(race, players, { results, secret }, version, find) {
  const named = results.map((/** @type {any} */ one) => one.player);
  if (JSON.stringify([...named].sort()) !== JSON.stringify([...players].sort())) find(version, "end", "players");
  for (const { player, game } of results) {
    const own = derivedId(secret, "race", race, player);
    if (game !== own) find(version, "end", "game", own, game);
  }
  const keys = results.map(rankKey);
  if (keys.some((/** @type {number[]} */ key, /** @type {number} */ index) => index > 0 && isBefore(key, keys[index - 1]))) find(version, "end", "order");
}

/** By what a result is ranked: the smaller, the better. @param {any} result @returns {number[]} */
const rankKey = ({ result, home, moves, milliseconds, home_after: since = milliseconds }) => result === "won" ? [0, milliseconds] : [1, -home, moves, since];

/** Whether one key is smaller than another one. @param {number[]} one @param {number[]} other */
function isBefore(one, other) {
  const place = one.findIndex((value, index) => value !== other[index]);
  return place >= 0 && one[place] < other[place];
}
