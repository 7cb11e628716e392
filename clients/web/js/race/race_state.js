/**
 * A race as the server sends it: the order of the racers, and its clock. Without page and network.
 *
 * @import { Player, Race, Racer } from "wire"
 */
import { isFinished } from "../game/session.js";
import { durationWords } from "../language/format.js";
import { hasText, t } from "../language/translate.js";
import { raceRankKey, sortByRankKey } from "../leaderboards/ranking.js";

/**
 * The figures of a racer before the cards are dealt.
 * @type {{status: "playing", home: number, moves: number, milliseconds: number}}
 */
const NOT_STARTED = { status: "playing", home: 0, moves: 0, milliseconds: 0 };

/** The server's clock minus this machine's clock, in milliseconds. @param {{at: number}} race @param {number} now */
export function clockOffset(race, now) {
  return race.at - now;
}

/** Whether this player takes part in the race. @param {Race} race @param {Player|null} player */
export function isInRace(race, player) {
  return racerOf(race, player) !== undefined;
}

/** The racer that is this player; undefined if the player is not in the race. @param {Race} race @param {Player|null} player */
export function racerOf(race, player) {
  return player ? race.racers.find((racer) => racer.player.id === player.id) : undefined;
}

/**
 * The racers in the order of the race: by the server's ranks once the race is over, before that by how far they are. Struck runs come last.
 * Racers without a game yet, and racers whose games are equal, keep the order in which they joined.
 * @param {Race} race
 * @returns {Racer[]}
 */
export function racersInOrder({ racers }) {
  if (racers.every(({ rank, struck }) => rank !== undefined || struck)) return sortByRankKey(racers, ({ rank = Infinity }) => [rank]);
  return sortByRankKey(racers, ({ meter }) => raceRankKey(meter ?? NOT_STARTED));
}

/**
 * Milliseconds until the race starts or its time is up; null if neither is to come.
 * @param {Race} race
 * @param {number} serverNow
 */
export function remainingMilliseconds(race, serverNow) {
  const until = race.state === "countdown" ? race.starts_at : race.state === "running" ? race.ends_at : undefined;
  return until === undefined ? null : Math.max(0, until - serverNow);
}

/** Whether this racer's game is over. @param {Racer|undefined} racer */
export function hasFinished(racer) {
  return isFinished(racer?.meter?.status);
}

/** "10 minutes", "90 seconds". @param {number} seconds */
export function timeLimitWords(seconds) {
  return seconds % 60 ? t("races.seconds", { count: seconds }) : t("races.minutes", { count: seconds / 60 });
}

/** A race in one line: "up to 4 people, 10 minutes". @param {{size: number, seconds: number}} race */
export function raceWords({ size, seconds }) {
  return t("races.about", { people: t("races.people", { count: size }), time: timeLimitWords(seconds) });
}

/** How far a racer is: the cards home, which decide, and the moves. @param {number} home @param {number} moves */
export function racerFigures(home, moves) {
  return t("races.figures", { home: t("common.cards_home", { count: home }), moves: t("common.moves", { count: moves }) });
}

/** The figures of a racer, and how the game ended. @param {Racer} racer */
export function outcomeWords({ meter }) {
  if (!meter) return "";
  const figures = racerFigures(meter.home, meter.moves);
  const key = `races.end_${meter.status}`;
  return hasText(key) ? t("races.outcome", { stands: figures, end: t(key, { time: durationWords(meter.milliseconds) }) }) : figures;
}
