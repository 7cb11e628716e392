/** How a finished game compares, in sentences: with the other runs of its deal, with friends, and with one's own games before. */

/**
 * @import { Daily, GameCard, GameResult, Place } from "wire"
 * @typedef {{kind: "par"|"place"|"friends"|"past"|"streak", words: string, good: boolean}} Comparison `good` marks what is worth a badge
 */
import { rankWords, scoreWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";

/** A streak gets a badge from so many days on. */
const BADGE_DAYS = 2;

/**
 * The sentences about a result, the most interesting first.
 * @param {GameResult} result
 * @returns {Comparison[]}
 */
export function comparisons(result) {
  const { place, friends_place: friends, streak } = result;
  const isFirst = (/** @type {Place} */ { rank, total }) => rank === 1 && total > 1 && result.game.status !== "resigned";
  /** @type {(Comparison|null)[]} */
  const all = [
    place ? { kind: "place", words: placeWords(place), good: isFirst(place) } : null,
    friends ? { kind: "friends", words: t("ending.among_friends", inWords(friends)), good: isFirst(friends) } : null,
    pastComparison(result),
    result.points !== undefined && streak > 0
      ? { kind: "streak", words: t("deals.streak", { count: streak }), good: streak >= BADGE_DAYS } : null,
  ];
  return all.filter((one) => one !== null);
}

/**
 * A run beside the par of its deal, if the par may be told.
 * @param {GameCard} game
 * @param {Daily|null} daily the day whose deal it is
 * @param {{status: string, played: number}} run
 * @returns {Comparison[]}
 */
export function parComparison({ slot }, daily, { status, played }) {
  const par = daily?.deals.find((deal) => deal.slot === slot)?.par;
  if (par === undefined) return [];
  if (status !== "won") return [{ kind: "par", words: t("ending.par_only", { count: par }), good: false }];
  return [{ kind: "par", words: t("ending.par", { par, count: played }), good: played <= par }];
}

/** "3rd of 17 on this deal, better than 88% of the others". @param {Place} place */
function placeWords(place) {
  if (place.total === 1) return t("ending.first_here");
  if (place.rank === 1 || place.behind === 0) return t("ending.place_plain", inWords(place));
  return t("ending.place", { ...inWords(place), share: formatNumber(place.behind / (place.total - 1), { style: "percent" }) });
}

/** @param {Place} place */
function inWords({ rank, total }) {
  return { rank: rankWords(rank), total };
}

/**
 * With one's own games before; null for a game that is in no statistics: it began at a position of another one, as a try at a puzzle does,
 * or it was ended unfinished, by the close of its day or after a month.
 * @param {GameResult} result
 * @returns {Comparison|null}
 */
function pastComparison({ game, score, maximum, past }) {
  if (game.origin || game.competition === "puzzle" || (game.status === "out_of_time" && game.mode !== "race")) return null;
  if (!past) return { kind: "past", words: t("ending.first_of_kind"), good: false };
  if (!score && !past.best_score) return null; // as good as the best, and nothing to be proud of
  const values = { best: scoreWords(past.best_score, maximum), mean: formatNumber(past.mean_score, { maximumFractionDigits: 1 }) };
  const good = score > past.best_score;
  const key = good ? "new_best" : score === past.best_score ? "equal_best" : "past_best";
  return { kind: "past", words: t(`ending.${key}`, values), good };
}
