/** Pictures of single cards and of fanned cards, as decoration. */
import { element } from "../ui/dom.js";
import { faceSymbol } from "./card_faces.js";

/** @param {string[]} cards */
export function makeFan(cards) {
  const fan = element("div", { class: "fan", "aria-hidden": "true" });
  cards.forEach((card) => fan.append(makeCardPicture(card, "large", "left")));
  return fan;
}

/**
 * The picture of one card.
 * @param {string} card
 * @param {import("./card_faces.js").Size} [size]
 * @param {import("./card_faces.js").Edge} [edge]
 * @param {import("./card_faces.js").CardStyle} [style] values of the settings; those that the reader chose if left out
 */
export function makeCardPicture(card, size = "large", edge = "top", style = {}) {
  const SVG = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 140");
  drawing.setAttribute("class", "card-picture");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${faceSymbol(card, size, edge, false, style)}`);
  drawing.append(use);
  return drawing;
}
