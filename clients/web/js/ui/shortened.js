/** Buttons of the toolbar that are short on a phone: a sign or a short text is seen there, and the name stays the long text. */
import { element } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

/** The drawings, in a square of 24 units. */
const SIGNS = {
  take_back: "M9 5 4 10l5 5M4 10h10a5 5 0 0 1 0 10h-4",
  resign: "M6 21V4M6 4h12l-3.5 4.5L18 13H6",
};

/**
 * What such a button shows: the long text, and on a phone the short one instead.
 * @param {string} long
 * @param {string|SVGElement} short
 */
export function shortened(long, short) {
  return element("span", { class: "shortened" }, element("span", { class: "long" }, long), element("span", { class: "short", "aria-hidden": "true" }, short));
}

/** @param {keyof typeof SIGNS} name */
export function drawSign(name) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SIGNS[name]);
  drawing.append(path);
  return drawing;
}
