/** A player's results by week, of one game or of all, with the weeks in which nothing was played. Without page and network. */

/**
 * @import { Profile } from "wire"
 * @typedef {{week: string, played: number, won: number, best: number|null, mean: number|null}} WeekFigures `best` and `mean` are
 *   scores of one game; they are null for a week without games, and for all games together
 */
import { daysLater, mondayOf, weekOf } from "../language/calendar.js";

/** So many weeks are shown at least, and at most as many as the server sends. */
export const MIN_WEEKS = 8;
const MAX_WEEKS = 26;

/**
 * The weeks up to now, from the first one with a game, but at least `MIN_WEEKS`.
 * @param {Pick<Profile, "week"|"weeks">} profile
 * @param {string} rules the slug of a game, or "" for all games
 * @returns {WeekFigures[]}
 */
export function weekFigures({ week: now, weeks }, rules) {
  const chosen = weeks.filter((one) => rules === "" || one.rules === rules);
  const names = Array.from({ length: MAX_WEEKS }, (_, back) => weekOf(daysLater(mondayOf(now), -7 * (MAX_WEEKS - 1 - back))));
  const first = names.findIndex((name) => chosen.some(({ week }) => week === name));
  const from = Math.min(first < 0 ? MAX_WEEKS : first, MAX_WEEKS - MIN_WEEKS);
  return names.slice(from).map((week) => {
    const there = chosen.filter((one) => one.week === week);
    const sum = (/** @type {"played"|"won"} */ name) => there.reduce((total, one) => total + one[name], 0);
    const only = rules !== "" && there.length === 1 ? there[0] : null;
    return { week, played: sum("played"), won: sum("won"), best: only?.best_score ?? null, mean: only?.mean_score ?? null };
  });
}
