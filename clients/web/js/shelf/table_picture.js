/**
 * A small picture of a table: only the outlines of its cards. A few thousand rectangles for all games cost a phone less than
 * images of them.
 *
 * @import { Picture } from "wire"
 */
const SVG = "http://www.w3.org/2000/svg";
/** The size of a card in the units of the picture. */
const [WIDTH, HEIGHT] = [10, 14];
const MARGIN = 4;
/** A picture has room for so many cards at least, so that a small table does not have giant cards. */
const [FEWEST_ACROSS, FEWEST_DOWN] = [6.5, 4.5];
/** By the number that the server has for it. */
const LOOKS = ["place", "up", "down"];

/** @param {Picture} picture @returns {SVGSVGElement} */
export function makeTablePicture({ width, height, drawn }) {
  const across = Math.max(width, FEWEST_ACROSS) * WIDTH + 2 * MARGIN;
  const down = Math.max(height, FEWEST_DOWN) * HEIGHT + 2 * MARGIN;
  const root = make("svg", {
    class: "table-picture", "aria-hidden": "true",
    viewBox: [(width * WIDTH - across) / 2, (height * HEIGHT - down) / 2, across, down].join(" "),
  });
  for (const [left, top, turn, look] of drawn) {
    const [x, y] = [left * WIDTH, top * HEIGHT];
    const card = make("rect", { class: LOOKS[look], x, y, width: WIDTH, height: HEIGHT, rx: 1 });
    if (turn) card.setAttribute("transform", `rotate(${turn} ${x + WIDTH / 2} ${y + HEIGHT / 2})`);
    root.append(card);
  }
  return root;
}

/**
 * @template {"svg"|"rect"} Tag
 * @param {Tag} tag
 * @param {{[name: string]: string|number}} attributes
 * @returns {SVGElementTagNameMap[Tag]}
 */
function make(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
