/** Compares two runs of one deal. Without page and network. */
import { stepAt } from "../game/replay_steps.js";

/** @typedef {import("../game/replay_steps.js").Step} Step */

/** The timeline of runs is at least this long. */
const MIN_LENGTH_MILLISECONDS = 1000;

/** Whether two runs began with the same cards by the same rules. @param {Step[]} one @param {Step[]} other */
export function sameDeal([one], [other]) {
  return one.session.game?.rules === other.session.game?.rules && samePosition(one, other);
}

/** Whether two steps have the same position. @param {Step} one @param {Step} other */
export function samePosition(one, other) {
  return JSON.stringify(one.session.piles) === JSON.stringify(other.session.piles);
}

/**
 * The first step at which two runs differ; null if one is the beginning of the other, or both are equal.
 * @param {Step[]} one
 * @param {Step[]} other
 * @returns {number|null}
 */
export function firstDifference(one, other) {
  const most = Math.min(one.length, other.length);
  for (let index = 1; index < most; index += 1) {
    if (one[index].kind !== other[index].kind || one[index].move?.text !== other[index].move?.text) return index;
  }
  return null;
}

/**
 * The number of a run's step at a place: the place is the number of a step, or a time.
 * @param {Step[]} steps
 * @param {number} place
 * @param {boolean} timed
 */
export function stepAtPlace(steps, place, timed) {
  return timed ? stepAt(steps, place) : Math.min(Math.floor(place), steps.length - 1);
}

/** The places where something happens in any of the runs, in order. @param {Step[][]} runs @param {boolean} timed */
export function stops(runs, timed) {
  if (!timed) return Array.from({ length: Math.max(2, ...runs.map((steps) => steps.length)) }, (_, index) => index);
  const times = runs.flatMap((steps) => steps.map(({ at }) => at));
  return [...new Set([0, ...times, Math.max(MIN_LENGTH_MILLISECONDS, ...times)])].sort((one, other) => one - other);
}

/** The score of a run at each of its places. @param {Step[]} steps @param {boolean} timed @returns {[number, number][]} */
export function scorePoints(steps, timed) {
  return steps.map(({ session, at }, index) => [timed ? at : index, session.score]);
}
