/** The recorded pace of a finished run, and who is ahead of it. Without page and network. */
import { t } from "../language/translate.js";

/**
 * How far the run was at a time.
 * @param {[number, number, number][]} points milliseconds since the deal, cards home, score
 * @param {number} elapsed milliseconds
 * @returns {{home: number, score: number, over: boolean}}
 */
export function paceAt(points, elapsed) {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (points[middle][0] <= elapsed) low = middle;
    else high = middle - 1;
  }
  const [, home, score] = points[low];
  return { home, score, over: low === points.length - 1 && elapsed >= points[low][0] };
}

/**
 * Who is ahead: whoever has more cards home, and with equal cards home whoever has the higher score.
 * @param {{home: number, score: number}} mine
 * @param {{home: number, score: number}} theirs
 * @returns {{side: "ahead"|"behind"|"level", words: string}}
 */
export function comparePace(mine, theirs) {
  const cards = mine.home - theirs.home;
  const by = cards || mine.score - theirs.score;
  if (by === 0) return { side: "level", words: t("time.level") };
  const side = by > 0 ? "ahead" : "behind";
  return { side, words: t(`time.${cards ? "cards" : "points"}_${side}`, { count: Math.abs(by) }) };
}
