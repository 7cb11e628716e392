/** The figures over a table: score, cards home, moves, and the clock, which runs by itself. */
import { element } from "./dom.js";
import { clockOf, isOver } from "./session.js";
import { duration } from "./words.js";

/**
 * @returns {{node: HTMLElement, show: (session: import("./session.js").Session) => void, close: () => void}}
 */
export function makeStats() {
  const figures = { Score: figure(), "Cards home": figure(), Moves: figure(), Time: figure() };
  const node = element("dl", { class: "stats" }, Object.entries(figures).map(([name, value]) =>
    element("div", {}, element("dt", {}, name), value)));
  let session = null;
  const tick = () => {
    if (session?.game) figures.Time.textContent = duration(clockOf(session, Date.now()));
  };
  const timer = setInterval(() => session && !isOver(session) && tick(), 500);
  return {
    node,
    show(next) {
      session = next;
      figures.Score.textContent = String(next.score);
      figures["Cards home"].textContent = String(next.home);
      figures.Moves.textContent = String(next.played);
      tick();
    },
    close: () => clearInterval(timer),
  };
}

function figure() {
  return element("dd", {}, "–");
}
