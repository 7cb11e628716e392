/** The figures over a table: score, cards home, moves, and the clock, which runs by itself; two of them can be hidden. */
import { element } from "../ui/dom.js";
import { number, t } from "../language/translate.js";
import { clockOf, isOver } from "../game/session.js";
import { onSettings, setting } from "../settings/settings.js";
import { duration } from "../language/format.js";

const FIGURES = ["score", "home", "moves", "time"];
/** Which setting hides which figure. @type {Record<string, string>} */
const HIDDEN_BY = { score: "score", time: "clock" };

/**
 * @returns {{node: HTMLElement, show: (session: import("../game/session.js").Session) => void, close: () => void}}
 */
export function makeStats() {
  const values = Object.fromEntries(FIGURES.map((name) => [name, element("dd", {}, "–")]));
  const boxes = Object.fromEntries(FIGURES.map((name) =>
    [name, element("div", {}, element("dt", {}, t(`stats.${name}`)), values[name])]));
  const node = element("dl", { class: "stats" }, Object.values(boxes));
  const hide = () => Object.entries(HIDDEN_BY).forEach(([name, by]) => {
    boxes[name].hidden = !setting(by);
  });
  hide();
  const deafen = onSettings(hide);
  /** @type {import("../game/session.js").Session|null} */
  let session = null;
  const tick = () => {
    if (session?.game) values.time.textContent = duration(clockOf(session, Date.now()));
  };
  const timer = setInterval(() => session && !isOver(session) && tick(), 500);
  return {
    node,
    show(next) {
      session = next;
      values.score.textContent = number(next.score);
      values.home.textContent = number(next.home);
      values.moves.textContent = number(next.played);
      tick();
    },
    close() {
      clearInterval(timer);
      deafen();
    },
  };
}
