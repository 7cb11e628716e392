/**
 * A chart with a line for each run, over its moves or its time. A press on it, or the keys, go to that place.
 *
 * @typedef {{name: string, points: [number, number][]}} Series a run's name, and its places and values in order
 */
import { formatNumber, t } from "../language/translate.js";
import { element } from "../ui/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 200;
/** The table for screen readers has about so many rows. */
const TABLE_ROWS = 12;

/** The least and the greatest value. They always differ. @param {Series[]} series @returns {[number, number]} */
export function valueRange(series) {
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return [least, most === least ? least + 1 : most];
}

/**
 * A line that keeps its height until the next point, in a box of `width` by `height`, as an SVG path.
 * @param {[number, number][]} points
 * @param {{end: number, least: number, most: number, width?: number, height?: number}} box `end` is the greatest place
 */
export function stepPath(points, { end, least, most, width = WIDTH, height = HEIGHT }) {
  const x = (/** @type {number} */ place) => round(end ? (width * place) / end : 0);
  const y = (/** @type {number} */ value) => round(height - (height * (value - least)) / (most - least));
  return points.map(([place, value], index) => (index ? `H${x(place)}V${y(value)}` : `M${x(place)} ${y(value)}`)).join("");
}

/**
 * The value of a run at a place: that of the last point at or before it.
 * @param {[number, number][]} points
 * @param {number} place
 */
export function valueAt(points, place) {
  return (points.findLast(([where]) => where <= place) ?? points[0])[1];
}

/** About `rows` places at equal distances, and the end. @param {number} end @param {number} [rows] */
export function tablePlaces(end, rows = TABLE_ROWS) {
  const step = Math.max(1, Math.ceil(end / rows));
  const found = [];
  for (let place = 0; place < end; place += step) found.push(place);
  return [...found, end];
}

/**
 * @param {Object} about
 * @param {string} about.label the title: "Score over the moves"
 * @param {Series[]} about.series
 * @param {number} about.end the greatest place
 * @param {(place: number) => string} about.words a place in words: "move 12", "1:05"
 * @param {(place: number) => void} about.go goes to a place
 * @returns {{node: HTMLElement, show: (place: number) => void}}
 */
export function makeLineChart({ label, series, end, words, go }) {
  const [least, most] = valueRange(series);
  const lines = series.map(({ points }, index) => makeShape("path", {
    class: `line line-${index}`, d: stepPath([...points, [end, points[points.length - 1][1]]], { end, least, most }),
  }));
  const now = makeShape("line", { class: "now", y1: 0, y2: HEIGHT });
  const picture = makeShape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  picture.append(...lines, now);
  const drawing = element("div", {
    class: "drawing", role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0, "aria-valuemax": end, "aria-valuenow": 0,
    on: { pointerdown: drag, pointermove: (event) => event.buttons && drag(event) },
  }, picture);
  const node = element("figure", { class: "plot" },
    element("figcaption", {}, label, series.length > 1 && element("span", { class: "legend" }, series.map(({ name }, index) =>
      element("span", { class: `key key-${index}` }, name)))),
    element("div", { class: "frame" },
      element("span", { class: "scale", "aria-hidden": "true" },
        element("span", {}, formatNumber(most)), element("span", {}, formatNumber(least))),
      drawing),
    table());

  /** @param {PointerEvent} event */
  function drag(event) {
    const box = drawing.getBoundingClientRect();
    go(Math.max(0, Math.min(end, (end * (event.clientX - box.left)) / box.width)));
  }
  /** The value of each run at a place, in words. @param {number} place */
  function at(place) {
    return series.map(({ name, points }) => t("replay.plot_value", { name, value: valueAt(points, place) })).join(", ");
  }
  function table() {
    return element("details", {}, element("summary", {}, t("replay.plot_table")), element("table", { class: "figures" },
      element("thead", {}, element("tr", {}, [t("replay.plot_place"), ...series.map(({ name }) => name)].map((name) =>
        element("th", { scope: "col" }, name)))),
      element("tbody", {}, tablePlaces(end).map((place) => element("tr", {}, element("th", { scope: "row" }, words(place)),
        series.map(({ points }) => element("td", {}, formatNumber(valueAt(points, place)))))))));
  }

  return {
    node,
    show(place) {
      const x = String(end ? (WIDTH * place) / end : 0);
      now.setAttribute("x1", x);
      now.setAttribute("x2", x);
      drawing.setAttribute("aria-valuenow", String(Math.round(place)));
      drawing.setAttribute("aria-valuetext", t("replay.plot_here", { place: words(place), values: at(place) }));
    },
  };
}

/** @param {string} tag @param {Record<string, string|number>} attributes */
function makeShape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
