/**
 * How far apart the cards of a pile lie: the distance they should have, the distance they need at least, and the available
 * room. All lengths are in card widths.
 *
 * @typedef {import("./boxes.js").Place} Place
 * @typedef {{along: "x"|"y", size: "width"|"height", across: "x"|"y", breadth: "width"|"height", sign: number}} Direction
 * @typedef {{members: number[], starts: number[], end: number}} Row piles that spread to the right one after another: their
 *   numbers, where each begins, and where the last one must end
 */
import { RATIO, cardBox, pileBox } from "./boxes.js";

/**
 * How much of a covered card shows, as a part of it. Small cards, whose rank and suit are relatively larger, show a larger
 * part. `least` is what a tight face (see `cards/card_faces.js`) needs to be read.
 */
const SHOWN_PARTS = [
  { below: 36, upright: { wanted: 0.38, least: 0.22 }, sideways: { wanted: 0.46, least: 0.3 } },
  { below: 70, upright: { wanted: 0.31, least: 0.19 }, sideways: { wanted: 0.42, least: 0.25 } },
  { below: Infinity, upright: { wanted: 0.27, least: 0.17 }, sideways: { wanted: 0.34, least: 0.21 } },
];
/** The parts that show of cards of this width in pixels. @param {number} card */
const shownParts = (card) => SHOWN_PARTS.find(({ below }) => card < below) ?? SHOWN_PARTS[0];
/** A face-down card shows only this share of it. */
const DOWN_SHARE = 0.45;
/** The gap between the end of a spread and the next pile in its way. */
export const GAP = 0.1;

/** @type {Partial<Record<import("./boxes.js").Spread, Direction>>} */
const DIRECTIONS = {
  down: { along: "y", size: "height", across: "x", breadth: "width", sign: 1 },
  up: { along: "y", size: "height", across: "x", breadth: "width", sign: -1 },
  right: { along: "x", size: "width", across: "y", breadth: "height", sign: 1 },
  left: { along: "x", size: "width", across: "y", breadth: "height", sign: -1 },
};

/**
 * The direction in which a pile spreads; undefined if it does not spread, or if its cards have places of their own.
 * @param {Place} place
 */
export function spreadDirection(place) {
  return place.cards ? undefined : DIRECTIONS[place.spread ?? "none"];
}

/**
 * The distances between a pile's cards along its spread.
 * @param {Place} place
 * @param {string[]} cards
 * @param {number} card the width in pixels of cards whose rank and suit must be readable; 0 for large print
 * @returns {{wanted: number[], least: number[]}}
 */
export function distances(place, cards, card) {
  const vertical = isVertical(place);
  const { wanted, least } = shownParts(card)[vertical ? "upright" : "sideways"];
  const covered = cards.slice(0, -1);
  const lengths = (/** @type {number} */ step) =>
    covered.map((face) => step * (vertical ? RATIO : 1) * (face === "--" ? DOWN_SHARE : 1));
  return { wanted: lengths(place.step ?? wanted), least: lengths(Math.min(place.step ?? least, least)) };
}

/** Whether cards at this distance need tight faces. @param {Place} place @param {number} step @param {number} card */
export function isTight(place, step, card) {
  const { upright, sideways } = shownParts(card);
  return step < 0.93 * (isVertical(place) ? upright.wanted * RATIO : sideways.wanted);
}

/** @param {Place} place */
function isVertical(place) {
  return spreadDirection(place)?.along === "y";
}

/** @param {number[]} numbers */
export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * How far a pile can spread before one of these piles is in its way; Infinity if none is.
 * @param {Place} place
 * @param {Place[]} others
 */
export function clearance(place, others) {
  const way = spreadDirection(place);
  if (!way) return 0;
  const own = cardBox(place);
  let room = Infinity;
  for (const other of others) {
    const box = pileBox(other);
    const overlap = Math.min(own[way.across] + own[way.breadth], box[way.across] + box[way.breadth])
      - Math.max(own[way.across], box[way.across]);
    const ahead = way.sign > 0
      ? box[way.along] - own[way.along] - own[way.size]
      : own[way.along] - box[way.along] - box[way.size];
    if (other !== place && overlap > 0.05 && ahead > -0.5 * own[way.size]) room = Math.min(room, Math.max(0, ahead));
  }
  return room - GAP;
}

/**
 * Rows of piles that spread to the right, each up to the next one.
 * @param {Place[]} places
 * @param {number[]} rooms
 * @returns {Row[]}
 */
export function rowsOf(places, rooms) {
  const fans = places.map((place, index) => ({ ...place, index }))
    .filter(({ spread, turn = 0, cards }) => spread === "right" && turn === 0 && !cards)
    .sort((one, other) => one.y - other.y || one.x - other.x);
  /** @type {(typeof fans)[]} */
  const rows = [];
  for (const fan of fans) {
    const row = rows[rows.length - 1] ?? [];
    const last = row[row.length - 1];
    const follows = last && last.y === fan.y && Math.abs(last.x + 1 + rooms[last.index] + GAP - fan.x) < 0.01;
    if (follows) row.push(fan);
    else rows.push([fan]);
  }
  return rows.filter((row) => row.length > 1).map((row) => {
    const last = row[row.length - 1];
    return { members: row.map(({ index }) => index), starts: row.map(({ x }) => x), end: last.x + 1 + rooms[last.index] };
  });
}

/**
 * Share the room of a row among its piles. A long pile pushes its neighbours aside. Only if the whole row is too long, all its
 * cards lie closer together.
 * @param {Row} row
 * @param {number[]} wanted how far each pile would spread
 * @returns {{x: number, room: number}[]} where each pile begins and how far it may spread
 */
export function shareRow({ starts, end }, wanted) {
  const free = end - starts[0] - starts.length - GAP * (starts.length - 1);
  const share = Math.min(1, free / (sum(wanted) || 1));
  const shares = wanted.map((extent) => ({ x: 0, room: extent * share }));
  let edge = -Infinity;
  shares.forEach((pile, index) => {
    pile.x = Math.max(starts[index], edge);
    edge = pile.x + 1 + pile.room + GAP;
  });
  let limit = end;
  for (const pile of [...shares].reverse()) {
    pile.x = Math.min(pile.x, limit - 1 - pile.room);
    limit = pile.x - GAP;
  }
  return shares;
}
