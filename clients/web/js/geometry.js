/**
 * From a game's layout, in card widths and heights, to pixels: how large a card can be and where each one lies.
 *
 * Everything is measured in card widths until the very end. A spread pile has room up to the next pile in its way (or
 * the table's edge); where its cards want more, they lie closer together.
 *
 * @typedef {{name: string, role: string, x: number, y: number, turn?: number, spread?: string, step?: number,
 *   only_filled?: boolean, cards?: [number, number, number][]}} Place `cards` are each card's own x, y and turn
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {{x: number, y: number, turn: number}} Spot where a card lies: the upper left corner it has upright, before it
 *   is turned about its centre
 * @typedef {{place: Place, box: Box, origin: Spot, cards: Spot[]}} Arranged `box` covers the whole pile, in pixels;
 *   `origin` is where its first card goes
 */

/** A card's height for a width of one. */
export const RATIO = 1.4;
/** How much of a card shows beneath the next: small cards, whose signs are larger, show more of themselves. */
const STEPS = [
  { below: 36, upright: 0.38, sideways: 0.52 },
  { below: 70, upright: 0.31, sideways: 0.42 },
  { below: Infinity, upright: 0.27, sideways: 0.34 },
];
const LEAST_STEP = 0.1;
/** A face-down card shows so much less. */
const DOWN_SHARE = 0.45;
/** Left between the end of a spread and whatever is in its way. */
const GAP = 0.1;
/** What a pile without an obstacle below may count on, in card heights, when cards are sized. */
const OPEN_HEIGHT = 1.75;
const OPEN_WIDTH = 2;
export const WIDEST_CARD = 124;

/** The rectangle of a single card at a place, in card widths, turned or not. @param {Place} place @returns {Box} */
export function cardBox({ x, y, turn = 0 }) {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [width, height] = [cos + sin * RATIO, sin + cos * RATIO];
  return { x: x + (1 - width) / 2, y: y * RATIO + (RATIO - height) / 2, width, height };
}

/** The rectangle all of a place's own cards need, in card widths. @param {Place} place @returns {Box} */
export function placeBox(place) {
  return union([cardBox(place), ...slots(place, place.cards?.length ?? 0).map(cardBox)]);
}

/** The own places of a pile's first cards; the last one takes all that follow. */
function slots({ cards = [] }, count) {
  if (cards.length === 0) return [];
  return Array.from({ length: count }, (_, index) => {
    const [x, y, turn] = cards[Math.min(index, cards.length - 1)];
    return { x, y, turn };
  });
}

function union(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

const HEADING = {
  down: { along: "y", size: "height", across: "x", breadth: "width", sign: 1 },
  up: { along: "y", size: "height", across: "x", breadth: "width", sign: -1 },
  right: { along: "x", size: "width", across: "y", breadth: "height", sign: 1 },
  left: { along: "x", size: "width", across: "y", breadth: "height", sign: -1 },
};

/** How far a pile can spread before another pile is in its way; Infinity if none is. */
function clearance(place, places) {
  const way = HEADING[place.spread];
  const own = cardBox(place);
  let room = Infinity;
  for (const other of places) {
    const box = placeBox(other);
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
 * The table of a layout: its extent in card widths and each pile's room to spread. Compute it once a game.
 * @param {{piles: Place[]}} layout
 */
export function survey(layout) {
  const places = layout.piles;
  const boxes = places.map(placeBox);
  const left = Math.min(0, ...boxes.map((box) => box.x));
  const top = Math.min(0, ...boxes.map((box) => box.y));
  const rooms = places.map((place) => (HEADING[place.spread] ? clearance(place, places) : 0));
  let right = Math.max(...boxes.map((box) => box.x + box.width));
  let bottom = Math.max(...boxes.map((box) => box.y + box.height));
  let leftward = OPEN_WIDTH;
  places.forEach((place, index) => {
    if (rooms[index] !== Infinity) return;
    if (place.spread === "left") leftward = Math.max(leftward, rooms[index] = boxes[index].x - left);
    if (place.spread === "up") rooms[index] = boxes[index].y - top;
  });
  places.forEach((place, index) => {
    if (rooms[index] !== Infinity) return;
    const { x, y, width, height } = boxes[index];
    if (place.spread === "right") right = Math.max(right, x + width + leftward);
    if (place.spread === "down") bottom = Math.max(bottom, y + height + OPEN_HEIGHT * RATIO);
  });
  places.forEach((place, index) => {
    if (rooms[index] === Infinity && place.spread === "right") {
      rooms[index] = right - boxes[index].x - boxes[index].width;
    }
  });
  return { places, boxes, rooms, left, top, width: right - left, height: bottom - top };
}

/** The distances between a pile's cards along its spread, in card widths. */
function steps(place, cards, room, card) {
  const vertical = place.spread === "down" || place.spread === "up";
  const { upright, sideways } = STEPS.find(({ below }) => card < below);
  const step = (place.step ?? (vertical ? upright : sideways)) * (vertical ? RATIO : 1);
  const distances = cards.slice(0, -1).map((card) => (card === "--" ? step * DOWN_SHARE : step));
  const wanted = distances.reduce((sum, distance) => sum + distance, 0);
  const share = wanted > room ? Math.max(room, 0) / wanted : 1;
  return distances.map((distance) => distance * share);
}

/**
 * Lay out a position.
 * @param {ReturnType<typeof survey>} table
 * @param {Record<string, string[]>} piles
 * @param {{width: number, height: number, fitHeight: boolean, grain?: number}} screen pixels to fill; without fitHeight the
 *   table may be taller than the screen; everything falls on multiples of `grain`
 */
export function arrange(table, piles, screen) {
  const byWidth = screen.width / table.width;
  const byHeight = screen.fitHeight ? screen.height / table.height : Infinity;
  const grain = screen.grain ?? 1;
  const card = Math.floor(Math.max(14, Math.min(byWidth, byHeight, WIDEST_CARD)) / grain) * grain;
  const floor = screen.height / card + table.top;
  const arranged = table.places.map((place, index) => {
    const cards = piles[place.name] ?? [];
    return lay(place, cards, table.boxes[index], table.rooms[index], { card, floor, table, grain });
  });
  const height = Math.max(...arranged.map(({ box }) => box.y + box.height));
  return { card: { width: card, height: card * RATIO }, width: table.width * card, height, piles: arranged };
}

function lay(place, cards, base, room, { card, floor, table, grain }) {
  const spots = place.cards ? slots(place, cards.length) : spread(place, cards, base, { room, floor, card });
  const box = union(spots.length ? spots.map(cardBox) : [place.cards ? base : cardBox(place)]);
  const pixel = (value) => Math.round((value * card) / grain) * grain;
  const settle = ({ x, y, turn = 0 }) => ({ x: pixel(x - table.left), y: pixel(y * RATIO - table.top), turn });
  return {
    place,
    origin: settle(place),
    box: { x: pixel(box.x - table.left), y: pixel(box.y - table.top), width: pixel(box.width), height: pixel(box.height) },
    cards: spots.map(settle),
  };
}

/** Where a pile's cards lie, in the layout's own units. */
function spread(place, cards, base, { room, floor, card }) {
  const way = HEADING[place.spread];
  const { x, y, turn } = place;
  if (!way) return cards.map(() => ({ x, y, turn }));
  const least = cards.length * LEAST_STEP * RATIO;
  const limit = room === Infinity ? Math.max(floor - base.y - base.height, least) : room;
  let extent = 0;
  return [0, ...steps(place, cards, limit, card)].slice(0, cards.length).map((distance) => {
    extent += distance * way.sign;
    return way.along === "x" ? { x: x + extent, y, turn } : { x, y: y + extent / RATIO, turn };
  });
}

/** Whether a point lies in a box, with some tolerance. @param {Box} box */
export function within(box, x, y, slack = 0) {
  return x >= box.x - slack && x <= box.x + box.width + slack && y >= box.y - slack && y <= box.y + box.height + slack;
}

/**
 * What lies at a point: the uppermost pile there, and which of its cards, counted from the top (1 is the top card).
 * @param {ReturnType<typeof arrange>} arrangement
 * @returns {{pile: string, depth: number}|null}
 */
export function hit(arrangement, x, y) {
  const { width, height } = arrangement.card;
  for (const { place, box, cards } of [...arrangement.piles].reverse()) {
    if (!within(box, x, y)) continue;
    if ((!HEADING[place.spread] && !place.cards) || cards.length < 2) return { pile: place.name, depth: 1 };
    for (let index = cards.length - 1; index >= 0; index -= 1) {
      if (within({ ...cards[index], width, height }, x, y)) return { pile: place.name, depth: cards.length - index };
    }
  }
  return null;
}
