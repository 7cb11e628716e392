/**
 * The figures above a table: the score out of its maximum, moves, and the running clock. Settings can hide score and clock. Where the score
 * is not the number of cards home, as in a game for counters, the cards home come first.
 */
import { elapsedMilliseconds, isOver } from "../game/session.js";
import { durationWords, scoreWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { onSettingsChange, setting } from "../settings/settings.js";
import { element } from "../ui/dom.js";

const FIGURES = ["score", "home", "moves", "time"];
/** Which setting hides which figure. @type {Record<string, string>} */
const HIDDEN_BY = { score: "score", time: "clock" };

/**
 * @param {Object} about
 * @param {number} about.maximum the highest possible score
 * @param {boolean} [about.home] whether to show the cards home, which decide a race
 * @param {() => number} [about.rested] milliseconds for which the clock has rested
 * @returns {{node: HTMLElement, show: (session: import("../game/session.js").Session) => void, close: () => void}}
 */
export function makeGameFigures({ maximum, home = false, rested = () => 0 }) {
  const values = Object.fromEntries(FIGURES.map((name) => [name, element("dd", {}, "–")]));
  const boxes = Object.fromEntries(FIGURES.map((name) =>
    [name, element("div", {}, element("dt", {}, t(`stats.${name}`)), values[name])]));
  boxes.home.hidden = !home;
  const node = element("dl", { class: "stats" }, Object.values(boxes));
  const hide = () => Object.entries(HIDDEN_BY).forEach(([name, by]) => {
    boxes[name].hidden = !setting(by);
  });
  hide();
  const stopSettings = onSettingsChange(hide);
  /** @type {import("../game/session.js").Session|null} */
  let session = null;
  const tick = () => {
    if (session?.game) values.time.textContent = durationWords(Math.max(0, elapsedMilliseconds(session, Date.now()) - rested()));
  };
  const timer = setInterval(() => session && !isOver(session) && tick(), 500);
  return {
    node,
    show(next) {
      session = next;
      const counted = !home && next.home !== next.score;
      values.score.textContent = counted ? t("stats.counters", { home: next.home, score: next.score }) : scoreWords(next.score, maximum);
      values.home.textContent = formatNumber(next.home);
      values.moves.textContent = formatNumber(next.played);
      tick();
    },
    close() {
      clearInterval(timer);
      stopSettings();
    },
  };
}
