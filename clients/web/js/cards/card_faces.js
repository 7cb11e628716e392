/**
 * Card faces as SVG. A face is a symbol in one hidden SVG, made when it is first needed. Every card on the table only refers to
 * its symbol. The style sheet gives the colours through classes.
 *
 * A face has a size (small, medium, large: how much is drawn besides rank and suit) and an edge: the side that stays visible
 * when other cards cover the card. Rank and suit are printed there. In large print the small face is used at every size. The
 * setting `design` says what else is drawn: the simple one has a single large suit and no pictures, and with corners rank and suit
 * are small and stand in two corners, as on printed cards.
 */
import { DOWN, rankOf } from "../game/cards.js";
import { setting } from "../settings/settings.js";
import { cardBack } from "./card_backs.js";
import { courtHalf } from "./court_figures.js";
import { suitPath } from "./suit_shapes.js";

/** @typedef {"small"|"medium"|"large"} Size */
/** @typedef {"top"|"bottom"|"left"|"right"} Edge */
/** @typedef {{faces?: unknown, design?: unknown, backs?: unknown}} CardStyle */

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
 * @param {CardStyle} [style] values of the settings; those that the reader chose if left out
 */
export function faceSymbol(card, size, edge, tight = false, style = {}) {
  const { faces, design, backs } = { faces: setting("faces"), design: setting("design"), backs: setting("backs"), ...style };
  const drawn = faces === "large" ? "small" : design === "simple" && size === "large" ? "medium" : size;
  const corners = design === "corners" && drawn !== "small" && !tight;
  const name = card === DOWN ? `back-${backs}-${drawn}`
    : `face-${card}-${drawn}-${edge}${tight ? "-tight" : ""}${corners ? "-corners" : ""}`;
  if (!document.getElementById(name)) {
    symbolSheet().append(makeSymbol(name, card === DOWN ? cardBack(String(backs), drawn) : front(card, drawn, edge, { tight, corners })));
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

/**
 * The J, which in most fonts goes below the line on which the other ranks stand: drawn for a font size of 100, from its middle.
 */
const JACK = "M-12-68H25V-64.5C19-64 16-63 16-58V-21C16-6.5 8 1.5-5 1.5C-16 1.5-23-4.5-23-12C-23-17.5-19.4-21-14.5-21"
  + "C-9.8-21-6.6-18-6.6-13.6C-6.6-10-8.5-8.6-8.5-6.2C-8.5-3.6-6.6-2.4-4.4-2.4C.6-2.4 2-7.5 2-16V-58C2-63-1-64-12-64.5Z";

/**
 * The rank of a card. All ranks stand on the line at `y`.
 * @param {string} card
 * @param {number} x its middle
 * @param {number} y
 * @param {number} size the font size
 */
function rank(card, x, y, size, room = size * 0.86) {
  const text = rankOf(card);
  if (text === "J") return `<path d="${JACK}" transform="translate(${x} ${y}) scale(${size / 100})"/>`;
  const squeeze = size * (RANK_WIDTHS[text] ?? 0.5) > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<text class="rank" x="${x}" y="${y}" font-size="${size}" text-anchor="middle"${squeeze}>${text}</text>`;
}

/** @param {string} card @param {Size} size @param {Edge} edge @param {{tight: boolean, corners: boolean}} style */
function front(card, size, edge, { tight, corners }) {
  const paper = '<rect class="paper" x="1" y="1" width="98" height="138" rx="7"/>';
  const draw = { small: smallFace, medium: mediumFace, large: largeFace }[size];
  const drawn = tight ? tightFace(card, size, edge) : corners && size !== "small" ? cornersFace(card, edge, size) : draw(card, edge);
  return `${paper}<g class="ink suit-${card[1]}">${drawn}</g>`;
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
  return rank(card, 31, y, 62) + suit(card, 78, y - 20, 37) + suit(card, 50, rest + 2, 62);
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
 * Where the picture of a large face is: beside the strip with rank and suit, or between the corners.
 * @type {Record<string, {x: number, y: number, width: number, height: number}>}
 */
const FIELDS = {
  top: { x: 27, y: 55, width: 46, height: 65 },
  bottom: { x: 27, y: 20, width: 46, height: 65 },
  left: { x: 43, y: 24, width: 38, height: 92 },
  right: { x: 19, y: 24, width: 38, height: 92 },
  corners: { x: 37, y: 26, width: 26, height: 88 },
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
  return index(card, edge) + picture(card, FIELDS[edge], edge === "left" || edge === "right" ? 1.3 : 1.22);
}

/** Rank and suit in a corner: both are in the part that shows of a covered card (see `board/spreading.js`). */
const CORNERS = {
  medium: { line: 25, letters: 28, suit: 34.5, size: 15 },
  large: { line: 21.5, letters: 24, suit: 30.5, size: 13 },
};

/**
 * Rank and suit one above the other in two corners, the second pair upside down.
 * @param {string} card
 * @param {Edge} edge
 * @param {"medium"|"large"} size
 */
function cornersFace(card, edge, size) {
  const x = edge === "right" ? 86 : 14;
  const at = CORNERS[size];
  const corner = rank(card, x, at.line, at.letters, 21) + suit(card, x, at.suit, at.size);
  return `${corner}<g transform="rotate(180 50 70)">${corner}</g>${picture(card, FIELDS.corners, 1.1)}`;
}

/**
 * The pips, the ace or the court card in a field.
 * @param {string} card
 * @param {{x: number, y: number, width: number, height: number}} field
 * @param {number} scale of an ace or a court card
 */
function picture(card, field, scale) {
  const [middle, centre] = [field.x + field.width / 2, field.y + field.height / 2];
  const pips = PIPS[card[0]];
  if (pips) {
    const size = pips.length > 8 ? 18 : 20;
    return pips.map(([x, y]) => suit(card, field.x + x * field.width, field.y + y * field.height, size, y > 0.5)).join("");
  }
  const isAce = card[0] === "A";
  const size = isAce ? Math.min(scale, (100 - middle) / ACE_RADIUS - 0.15) : scale;
  return `<g transform="translate(${middle} ${centre}) scale(${size}) translate(-50 -70)">${isAce ? ace(card) : court(card)}</g>`;
}

/** How far the rings around the suit of an ace reach. */
const ACE_RADIUS = 31;

/** @param {string} card */
function ace(card) {
  return `<circle class="rose" cx="50" cy="70" r="28"/><circle class="rose" cx="50" cy="70" r="${ACE_RADIUS}"/>${suit(card, 50, 70, 38)}`;
}

/** @param {string} card */
function court(card) {
  const half = courtHalf(card, suit(card, 34.5, 42, 11));
  return `<rect class="frame" x="27" y="34" width="46" height="72" rx="2"/>${half}`
    + `<g transform="rotate(180 50 70)">${half}</g><path class="frame" d="M27 70H73"/>`;
}
