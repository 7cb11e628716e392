/**
 * Card faces as SVG. A face is a symbol in one hidden SVG, made when it is first needed. Every card on the table only refers to
 * its symbol. The style sheet gives the colours through classes.
 *
 * A face has a size (small, medium, large: how much is drawn besides rank and suit) and an edge: the side that stays visible
 * when other cards cover the card. Rank and suit are printed there. With the setting "large print" the small face is used at
 * every size.
 */
import { DOWN, rankOf } from "../game/cards.js";
import { setting } from "../settings/settings.js";
import { courtHalf } from "./court_figures.js";
import { suitPath } from "./suit_shapes.js";

/** @typedef {"small"|"medium"|"large"} Size */
/** @typedef {"top"|"bottom"|"left"|"right"} Edge */

const NAMESPACE = "http://www.w3.org/2000/svg";

/** @type {Record<string, Edge>} */
const EDGES = { right: "left", left: "right", up: "bottom", down: "top" };

/** The size of face that is easy to read at a card width in pixels. @param {number} width @returns {Size} */
export function faceSizeFor(width) {
  if (width < 36) return "small";
  return width < 70 ? "medium" : "large";
}

/** The edge that stays visible, by the direction in which the pile spreads. @param {string} spread @returns {Edge} */
export function visibleEdge(spread) {
  return EDGES[spread] ?? "top";
}

/**
 * The id of a face's symbol. The symbol is made if it does not exist yet.
 * @param {string} card
 * @param {Size} size
 * @param {Edge} edge
 * @param {boolean} [tight] whether only a narrow strip of the card shows
 */
export function faceSymbol(card, size, edge, tight = false) {
  const drawn = setting("faces") === "large" ? "small" : size;
  const name = card === DOWN ? `back-${drawn}` : `face-${card}-${drawn}-${edge}${tight ? "-tight" : ""}`;
  if (!document.getElementById(name)) {
    symbolSheet().append(makeSymbol(name, card === DOWN ? back(drawn) : front(card, drawn, edge, tight)));
  }
  return name;
}

function symbolSheet() {
  /** @type {Element|null} */
  let found = document.getElementById("sprite");
  if (!found) {
    found = document.createElementNS(NAMESPACE, "svg");
    found.id = "sprite";
    found.setAttribute("aria-hidden", "true");
    document.body.append(found);
  }
  return found;
}

/** @param {string} name @param {string} markup */
function makeSymbol(name, markup) {
  const made = document.createElementNS(NAMESPACE, "symbol");
  made.id = name;
  made.setAttribute("viewBox", "0 0 100 140");
  made.innerHTML = markup;
  return made;
}

/** @param {string} card @param {number} x @param {number} y @param {number} size */
function suit(card, x, y, size, turned = false) {
  const turn = turned ? " rotate(180)" : "";
  return `<path d="${suitPath(card[1])}" transform="translate(${x} ${y})${turn} scale(${size})"/>`;
}

/** How wide the wide ranks are, relative to their font size. @type {Record<string, number>} */
const RANK_WIDTHS = { 10: 1, Q: 0.8, K: 0.75, A: 0.75 };

/** @param {string} card @param {number} x @param {number} y @param {number} size */
function rank(card, x, y, size, room = size * 0.86) {
  const text = rankOf(card);
  const squeeze = size * (RANK_WIDTHS[text] ?? 0.5) > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<text class="rank" x="${x}" y="${y}" font-size="${size}" text-anchor="middle"${squeeze}>${text}</text>`;
}

/** @param {string} card @param {Size} size @param {Edge} edge @param {boolean} tight */
function front(card, size, edge, tight) {
  const paper = '<rect class="paper" x="1" y="1" width="98" height="138" rx="7"/>';
  const draw = { small: smallFace, medium: mediumFace, large: largeFace }[size];
  return `${paper}<g class="ink suit-${card[1]}">${tight ? tightFace(card, size, edge) : draw(card, edge)}</g>`;
}

/**
 * How wide the visible strip of a covered card is at least, along its short and along its long edge. `board/spreading.js`
 * leaves this much.
 */
const STRIPS = {
  small: { short: 29, long: 29 },
  medium: { short: 25, long: 24 },
  large: { short: 22, long: 20 },
};

/** Rank and suit in a narrow strip along an edge. @param {string} card @param {Size} size @param {Edge} edge */
function tightFace(card, size, edge) {
  const { short, long } = STRIPS[size];
  if (edge === "left" || edge === "right") {
    const x = edge === "left" ? long / 2 + 1 : 99 - long / 2;
    const high = long * 1.7;
    return rank(card, x, 5 + 0.7 * high, high, long - 3) + suit(card, x, 12 + 0.7 * high + long / 2, long * 0.85)
      + suit(card, 100 - x, 98, 50);
  }
  const high = short * 1.22;
  const y = edge === "top" ? 4 + 0.7 * high : 136;
  return rank(card, 6 + high * 0.4, y, high) + suit(card, 92 - high * 0.35, y - 0.34 * high, high * 0.78)
    + suit(card, 50, edge === "top" ? 88 : 52, 60);
}

/**
 * Rank and suit as large as possible: side by side along a short edge, one above the other along a long edge.
 * @param {string} card
 * @param {Edge} edge
 */
function smallFace(card, edge) {
  if (edge === "left" || edge === "right") {
    const x = edge === "left" ? 24 : 76;
    return rank(card, x, 55, 66, 43) + suit(card, x, 96, 42);
  }
  const y = edge === "top" ? 50 : 128;
  const rest = edge === "top" ? 98 : 46;
  return rank(card, 31, y, 62) + suit(card, 75, y - 20, 40) + suit(card, 50, rest + 2, 62);
}

/** @param {string} card @param {Edge} edge */
function mediumFace(card, edge) {
  if (edge === "left" || edge === "right") {
    const x = edge === "left" ? 21 : 79;
    return rank(card, x, 42, 46) + suit(card, x, 66, 32) + suit(card, 100 - x - (edge === "left" ? 21 : -21), 104, 54);
  }
  const y = edge === "top" ? 41 : 131;
  const middle = edge === "top" ? 90 : 48;
  return rank(card, 25, y, 46) + suit(card, 76, y - 15, 34) + suit(card, 50, middle, 66);
}

/**
 * Where the picture of a large face is, beside the strip with rank and suit.
 * @type {Record<string, {x: number, y: number, width: number, height: number}>}
 */
const FIELDS = {
  top: { x: 27, y: 55, width: 46, height: 65 },
  bottom: { x: 27, y: 20, width: 46, height: 65 },
  left: { x: 43, y: 24, width: 38, height: 92 },
  right: { x: 19, y: 24, width: 38, height: 92 },
};

/** @param {string} card @param {Edge} edge */
function index(card, edge) {
  if (edge === "left" || edge === "right") {
    const x = edge === "left" ? 16 : 84;
    return rank(card, x, 34, 34) + suit(card, x, 52, 23);
  }
  const y = edge === "top" ? 33 : 133;
  return rank(card, 21, y, 36) + suit(card, 82, y - 12, 25);
}

/** Where pips lie in the picture's field, relative to its width and height. @type {Record<string, number[][]>} */
const PIPS = {
  2: [[0.5, 0], [0.5, 1]],
  3: [[0.5, 0], [0.5, 0.5], [0.5, 1]],
  4: [[0, 0], [1, 0], [0, 1], [1, 1]],
  5: [[0, 0], [1, 0], [0.5, 0.5], [0, 1], [1, 1]],
  6: [[0, 0], [1, 0], [0, 0.5], [1, 0.5], [0, 1], [1, 1]],
  7: [[0, 0], [1, 0], [0.5, 0.25], [0, 0.5], [1, 0.5], [0, 1], [1, 1]],
  8: [[0, 0], [1, 0], [0.5, 0.25], [0, 0.5], [1, 0.5], [0.5, 0.75], [0, 1], [1, 1]],
  9: [[0, 0], [1, 0], [0, 0.33], [1, 0.33], [0.5, 0.5], [0, 0.67], [1, 0.67], [0, 1], [1, 1]],
  T: [[0, 0], [1, 0], [0.5, 0.165], [0, 0.33], [1, 0.33], [0, 0.67], [1, 0.67], [0.5, 0.835], [0, 1], [1, 1]],
};

/** @param {string} card @param {Edge} edge */
function largeFace(card, edge) {
  const field = FIELDS[edge];
  const [middle, centre] = [field.x + field.width / 2, field.y + field.height / 2];
  const pips = PIPS[card[0]];
  if (pips) {
    const size = pips.length > 8 ? 18 : 20;
    return index(card, edge) + pips.map(([x, y]) =>
      suit(card, field.x + x * field.width, field.y + y * field.height, size, y > 0.5)).join("");
  }
  const tall = edge === "left" || edge === "right";
  const scale = tall ? 1.3 : 1.22;
  const picture = card[0] === "A" ? ace(card) : court(card);
  return `${index(card, edge)}<g transform="translate(${middle} ${centre}) scale(${scale}) translate(-50 -70)">${picture}</g>`;
}

/** @param {string} card */
function ace(card) {
  return `<circle class="rose" cx="50" cy="70" r="28"/><circle class="rose" cx="50" cy="70" r="31"/>${suit(card, 50, 70, 38)}`;
}

/** @param {string} card */
function court(card) {
  const half = courtHalf(card, suit(card, 34.5, 42, 11));
  return `<rect class="frame" x="27" y="34" width="46" height="72" rx="2"/>${half}`
    + `<g transform="rotate(180 50 70)">${half}</g><path class="frame" d="M27 70H73"/>`;
}

/** The back of a card: a lattice in a double frame; plain at small sizes. @param {Size} size */
function back(size) {
  const lines = [];
  const gap = size === "large" ? 11 : 17;
  for (let offset = -126; offset <= 126; offset += gap) {
    lines.push(`M${50 + offset} 10l120 120M${50 + offset} 10l-120 120`);
  }
  return '<rect class="paper" x="1" y="1" width="98" height="138" rx="7"/>'
    + '<rect class="back" x="6" y="6" width="88" height="128" rx="4"/>'
    + `<svg x="11" y="11" width="78" height="118" viewBox="11 11 78 118"><path class="lattice" d="${lines.join("")}"/></svg>`
    + '<rect class="rule" x="11" y="11" width="78" height="118" rx="2"/>'
    + (size === "small" ? "" : '<circle class="boss" cx="50" cy="70" r="15"/>'
      + `<path class="mark" d="${suitPath("D")}" transform="translate(50 70) scale(20)"/>`);
}
