/**
 * A small plot of bars, each with a filled part, and the same figures as a table.
 *
 * @typedef {{name: string, short: string, height: number, part: number, cells: string[]}} Bar `height` and `part` are on the same scale; a bar
 *   without height is left out of the picture; `short` is its name below the picture; `cells` are its figures in the table
 */
import { formatNumber, t } from "../language/translate.js";
import { element } from "../ui/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 100;
/** The width of a bar with the gap after it, and of the gap. */
const STEP = 10;
const GAP = 2.5;

/**
 * The rectangles of bars, as they stand on a line at `HEIGHT`. Below zero a bar has the least height.
 * @param {{height: number, part: number}[]} bars
 * @param {number} most the height of a whole bar
 */
export function rectangles(bars, most) {
  const scaled = (/** @type {number} */ value) => Math.max(0, Math.min(HEIGHT, (HEIGHT * value) / Math.max(1, most)));
  return bars.map(({ height, part }, index) => ({ x: index * STEP, whole: scaled(height), part: Math.min(scaled(part), scaled(height)) }));
}

/**
 * @param {Object} about
 * @param {string} about.label
 * @param {[string, string]} about.legend what the filled part is, and the whole bar
 * @param {string[]} about.heads the heads of the table's columns, the first one for the names
 * @param {Bar[]} about.bars
 * @param {number} about.most the height of a whole bar
 */
export function makeBarPlot({ label, legend: [part, whole], heads, bars, most }) {
  const picture = makeShape("svg", { viewBox: `0 0 ${bars.length * STEP - GAP} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  rectangles(bars, most).forEach((one) => {
    for (const name of /** @type {const} */ (["whole", "part"])) {
      if (one[name] > 0) picture.append(makeShape("rect", { class: name, x: one.x, y: HEIGHT - one[name], width: STEP - GAP, height: one[name] }));
    }
  });
  return element("figure", { class: "bar-plot" },
    element("figcaption", {}, label, element("span", { class: "legend" },
      element("span", { class: "key part" }, part), element("span", { class: "key whole" }, whole))),
    element("div", { class: "frame" },
      element("span", { class: "scale", "aria-hidden": "true" }, element("span", {}, formatNumber(most)), element("span", {}, "0")), picture),
    element("p", { class: "ends", "aria-hidden": "true" }, element("span", {}, bars[0].short), element("span", {}, bars[bars.length - 1].short)),
    element("details", {}, element("summary", {}, t("profile.as_table")), element("table", { class: "figures" },
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, bars.map(({ name, cells }) => element("tr", {}, element("th", { scope: "row" }, name),
        cells.map((cell) => element("td", {}, cell))))))));
}

/** @param {string} tag @param {Record<string, string|number>} attributes */
function makeShape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
