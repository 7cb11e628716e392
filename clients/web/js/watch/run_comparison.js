/** Two runs of one deal held against each other: no page and no network here. */
import { stepAt } from "../game/replay_steps.js";

/** @typedef {import("../game/replay_steps.js").Step} Step */

/** Runs take so many milliseconds at least, that there is something to run through. */
const MIN_LENGTH_MILLISECONDS = 1000;

/** Whether two runs began with the same cards by the same rules. @param {Step[]} one @param {Step[]} other */
export function sameDeal([one], [other]) {
  return one.session.game?.rules === other.session.game?.rules && samePosition(one, other);
}

/** Whether the tables look the same. @param {Step} one @param {Step} other */
export function samePosition(one, other) {
  return JSON.stringify(one.session.piles) === JSON.stringify(other.session.piles);
}

/**
 * The first step at which the runs do something else; null where one is the beginning of the other, or both are the same.
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
 * Which step a run stands at, at a place: a step's number, or a time.
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

/** The score of a run at every place. @param {Step[]} steps @param {boolean} timed @returns {[number, number][]} */
export function scorePoints(steps, timed) {
  return steps.map(({ session, at }, index) => [timed ? at : index, session.score]);
}
