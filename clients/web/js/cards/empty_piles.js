/** The picture of an empty pile: an outline, and a sign that shows the pile's role by its shape, not by a colour. */
import { element } from "../ui/dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const SIGNS = {
  foundation: "M50 70A12 12 0 1 1 50 46A12 12 0 1 1 50 70A12 12 0 1 1 74 70A12 12 0 1 1 50 70A12 12 0 1 1 50 94"
    + "A12 12 0 1 1 50 70A12 12 0 1 1 26 70A12 12 0 1 1 50 70Z",
  stock: "M68 58A22 22 0 1 0 72 72M72 48V60H60",
  waste: "",
  discard: "M36 56L64 84M64 56L36 84",
  tableau: "",
  reserve: "M50 62L56 70L50 78L44 70Z",
};

/**
 * The outline under a pile.
 * @param {import("../board/boxes.js").Place} place
 */
export function makeEmptyPile({ role }) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 140");
  const outline = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x: 2.5, y: 2.5, width: 95, height: 135, rx: 7 })) {
    outline.setAttribute(name, String(value));
  }
  const sign = document.createElementNS(SVG, "path");
  sign.setAttribute("d", SIGNS[role] ?? "");
  drawing.append(outline, sign);
  return element("div", { class: `ground ${role}` }, drawing);
}
