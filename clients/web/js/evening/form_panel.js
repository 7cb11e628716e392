/**
 * How somebody has done in evenings: the share first, then the rating, and how it went as a picture and a table.
 *
 * @import { PlayerForm, PoolForm, RatedEvening } from "wire"
 */
import { momentWords, rankWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { element, link } from "../ui/dom.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 100;
/** The distance of the line from the edge of the picture. */
const EDGE = 6;

/** The panel on the page of a player; none before the first rated evening. @param {PlayerForm} form */
export function makeFormPanel({ pools }) {
  if (pools.length === 0) return null;
  const [all, ...others] = pools;
  const levels = others.filter(({ evenings }) => evenings < all.evenings);
  return element("section", { class: "panel" }, element("h2", {}, t("evenings.evenings")),
    element("p", { class: "lead" }, overWords(all)),
    element("p", {}, ratingWords(all), " ", link("/ratings", t("form.ratings"))),
    levels.length > 0 && element("ul", { class: "rows" }, levels.map((pool) => element("li", {},
      element("span", {}, t(`evenings.level_${pool.pool}`)), element("span", {}, overWords(pool)), element("span", { class: "fine" }, ratingWords(pool))))),
    makeHistory(all.history));
}

/** "58.3% over 12 evenings". @param {{share?: number, evenings: number}} pool */
export function overWords({ share, evenings }) {
  return t(share === undefined ? "form.evenings" : "form.over", { share: shareWords(share), count: evenings });
}

/** "Rating 1713, provisional". @param {{rating: number, provisional?: boolean}} pool */
export function ratingWords({ rating, provisional }) {
  return t(provisional ? "form.rating_provisional" : "form.rating", { rating: String(rating) });
}

/** @param {number} [share] in hundredths of a per cent */
export function shareWords(share) {
  return share === undefined ? "–" : formatNumber(share / 10_000, { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * The points of a line through these values, from the left to the right edge; one value alone is in the middle.
 * @param {number[]} values
 * @returns {[number, number][]}
 */
export function linePoints(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (/** @type {number} */ index) => (values.length > 1 ? EDGE + ((WIDTH - 2 * EDGE) * index) / (values.length - 1) : WIDTH / 2);
  const y = (/** @type {number} */ value) => (most > least ? HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - least)) / (most - least) : HEIGHT / 2);
  return values.map((value, index) => [Math.round(x(index)), Math.round(y(value))]);
}

/** @param {RatedEvening[]} history the latest last */
function makeHistory(history) {
  const ratings = history.map(({ rating }) => rating);
  const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
  const words = t("form.plot_words", { first: String(ratings[0]), last: String(ratings[ratings.length - 1]), least: String(least), most: String(most) });
  const picture = makeShape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words });
  const points = linePoints(ratings);
  picture.append(makeShape("polyline", { points: points.join(" ") }), ...points.map(([cx, cy]) => makeShape("ellipse", { cx, cy, rx: 1.5, ry: 3 })));
  const heads = [t("form.evening"), t("evenings.place"), t("form.share"), t("form.rating_head")];
  return element("figure", { class: "bar-plot" }, element("figcaption", {}, t("form.plot")),
    element("div", { class: "frame" },
      element("span", { class: "scale", "aria-hidden": "true" }, element("span", {}, String(most)), element("span", {}, String(least))), picture),
    element("details", {}, element("summary", {}, t("profile.as_table")), element("table", { class: "figures" },
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, history.toReversed().map((one) => element("tr", {},
        element("th", { scope: "row" }, one.evening ? link(`/evenings/${one.evening}`, one.title ?? "") : momentWords(one.at)),
        [rankWords(one.place), shareWords(one.share), String(one.rating)].map((cell) => element("td", {}, cell))))))));
}

/** @param {string} tag @param {Record<string, string|number>} attributes */
function makeShape(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
