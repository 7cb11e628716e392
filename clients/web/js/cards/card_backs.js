/** Card backs as SVG: a pattern in a double frame, fewer lines at small sizes. The style sheet gives each back its colours. */
import { suitPath } from "./suit_shapes.js";

/** @typedef {import("./card_faces.js").Size} Size */

/** The pattern of each back, in the field from (11, 11) to (89, 129). @type {Record<string, (size: Size) => string>} */
const PATTERNS = { lattice, waves, stars, plain: () => "" };
/** The suit in the middle of each back. @type {Record<string, string>} */
const MARKS = { lattice: "D", waves: "S", stars: "C", plain: "H" };

/** @param {string} style a value of the setting `backs` @param {Size} size */
export function cardBack(style, size) {
  const mark = size === "small" ? "" : '<circle class="boss" cx="50" cy="70" r="15"/>'
    + `<path class="mark" d="${suitPath(MARKS[style])}" transform="translate(50 70) scale(20)"/>`;
  return '<rect class="paper" x="1" y="1" width="98" height="138" rx="7"/>'
    + `<g class="back-${style}"><rect class="back" x="6" y="6" width="88" height="128" rx="4"/>`
    + `<svg x="11" y="11" width="78" height="118" viewBox="11 11 78 118">${PATTERNS[style](size)}</svg>`
    + `<rect class="rule" x="11" y="11" width="78" height="118" rx="2"/>${mark}</g>`;
}

/** @param {Size} size */
function lattice(size) {
  const lines = [];
  const gap = size === "large" ? 11 : 17;
  for (let offset = -126; offset <= 126; offset += gap) {
    lines.push(`M${50 + offset} 10l120 120M${50 + offset} 10l-120 120`);
  }
  return `<path class="lattice" d="${lines.join("")}"/>`;
}

/** Rows of scallops, each row half a scallop beside the one before. @param {Size} size */
function waves(size) {
  const [width, height] = size === "large" ? [13, 8.5] : [19.5, 13];
  const lines = [];
  for (let row = 0; row * height < 132; row += 1) {
    const start = 11 - (row % 2 ? width / 2 : 0);
    lines.push(`M${start} ${11 + row * height}${`q${width / 2} ${1.5 * height} ${width} 0`.repeat(Math.ceil(90 / width) + 1)}`);
  }
  return `<path class="lattice" d="${lines.join("")}"/>`;
}

/** Four-pointed stars and dots by turns. @param {Size} size */
function stars(size) {
  const gap = size === "large" ? 13 : 19.5;
  const shapes = [];
  for (let row = 0; row * gap < 122; row += 1) {
    for (let column = 0; column * gap < 82; column += 1) {
      const [x, y] = [11 + gap * (column + 0.5), 11 + gap * (row + 0.5)];
      const long = gap * ((row + column) % 2 ? 0.12 : 0.42);
      const waist = long * 0.2;
      shapes.push(`M${x} ${y - long}L${x + waist} ${y - waist}L${x + long} ${y}L${x + waist} ${y + waist}L${x} ${y + long}`
        + `L${x - waist} ${y + waist}L${x - long} ${y}L${x - waist} ${y - waist}Z`);
    }
  }
  return `<path class="stars" d="${shapes.join("")}"/>`;
}
