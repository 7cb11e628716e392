/**
 * A game whose cards may not be seen yet: only how far it is, in large figures.
 *
 * @import { Meter, View } from "wire"
 * @typedef {Pick<Meter, "home"|"score"|"moves"|"milliseconds"|"status">} Figures
 */
import { durationWords, scorePercent, scoreWords, statusWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { element } from "../ui/dom.js";

/**
 * @param {number} maximum the highest possible score of the game
 * @returns {{node: HTMLElement, show: (meter: Figures) => void}}
 */
export function makeProgressView(maximum) {
  const score = element("strong", { class: "large-figure" }, "–");
  const filled = element("span");
  const line = element("p", { class: "figures" });
  const node = element("div", { class: "covered" },
    element("p", {}, score),
    element("span", { class: "gauge", "aria-hidden": "true" }, filled), line);
  return {
    node,
    show(meter) {
      score.textContent = scoreWords(meter.score, maximum);
      filled.style.width = `${scorePercent(meter.score, maximum)}%`;
      line.textContent = t("watch.meter", {
        moves: t("watch.moves", { count: meter.moves }), time: durationWords(meter.milliseconds), status: statusWords(meter.status),
      });
    },
  };
}

/**
 * Watch how far such a game is.
 * @param {import("../main.js").App} app
 * @param {{id: string, day?: string, race?: string}} game
 * @param {(meter: Figures) => void} listener
 * @returns {() => void} to stop
 */
export function watchMeter(app, { id, day, race }, listener) {
  if (race) {
    return app.connection.watchRace(race, ({ racers }) => {
      const found = racers.find(({ meter }) => meter?.game === id);
      if (found?.meter) listener(found.meter);
    });
  }
  if (!day) return () => {};
  return app.connection.watchDay(day, (games) => games.filter(({ game }) => game === id).forEach(listener));
}

/** The figures of a view without cards, in the form of a meter. @param {View} view @returns {Figures} */
export function meterOf({ home, score, moves, clock, status }) {
  return { home, score, moves, milliseconds: clock, status };
}
