/**
 * From a game's layout, in card widths and heights, to pixels: how large a card can be and where each card lies.
 *
 * All lengths are in card widths until the very end. A pile that spreads has room up to the next pile in its way, or up to the
 * edge of the table. If its cards need more room, they first lie closer together. Before rank and suit could not be read any
 * more, all cards become smaller. Last, the table becomes longer than the screen.
 *
 * @typedef {import("./boxes.js").Place} Place
 * @typedef {import("./boxes.js").Box} Box
 * @typedef {{x: number, y: number, turn: number}} Spot where a card lies: its upper left corner before it is turned
 *   around its centre
 * @typedef {{place: Place, box: Box, origin: Spot, cards: Spot[], tight: boolean}} ArrangedPile `box` covers the whole pile, in
 *   pixels; `origin` is where its first card goes; `tight` says that its cards cover one another more than they should
 * @typedef {ReturnType<typeof measureLayout>} MeasuredLayout
 * @typedef {Object} Screen
 * @property {number} width of the available area, in pixels
 * @property {number} height
 * @property {number} [grain] all positions are multiples of this, in pixels
 * @property {number} [zoom] how many times larger than the screen the table is
 * @property {boolean} [mirrored] whether left and right are exchanged
 * @property {boolean} [large] whether faces are in large print: then more of each card must show
 */
import { RATIO, cardBox, cardSpots, isInside, pileBox, turnedBox, unionBox } from "./boxes.js";
import { mirrored } from "./mirror.js";
import { clearance, distances, isTight, rowsOf, shareRow, spreadDirection, sum } from "./spreading.js";

/** How much room a pile gets downwards, in card heights, if no pile is below it, when the size of cards is chosen. */
const OPEN_SPREAD_HEIGHT = 1.75;
const OPEN_SPREAD_WIDTH = 2;
/** A card is never wider than this many pixels, or on a large screen than this share of its width. */
const MAX_CARD_WIDTH_PIXELS = 124;
const MAX_CARD_WIDTH_SHARE = 1 / 14;
/**
 * A low screen or a long column makes a card no narrower than this, if the screen is wide enough: in the layout of the book, and
 * in a layout that was made for a small table.
 */
const MIN_CARD_WIDTH_PIXELS = { book: 32, small: 22 };
/** Long columns make cards no smaller than this share of their size. They shrink in steps by this factor. */
const MIN_CARD_SIZE_SHARE = 0.45;
const SHRINK_FACTOR = 0.94;

/**
 * The measures of a layout: its size in card widths, and each pile's room to spread. Compute them once for each game.
 * @param {{piles: Place[], room?: number[]|null}} layout `room` is the size of the table, in card widths and heights, if the
 *   layout says how much room its piles need to spread
 */
export function measureLayout({ piles: places, room }) {
  const boxes = places.map(pileBox);
  const lasting = places.filter((place) => !place.only_filled);
  const rooms = places.map((place) => (spreadDirection(place) ? clearance(place, lasting) : 0));
  const left = Math.min(0, ...boxes.map((box) => box.x));
  const top = Math.min(0, ...boxes.map((box) => box.y));
  const { right, bottom } = room ? { right: room[0], bottom: room[1] * RATIO } : tableExtent(places, boxes, rooms, left);
  places.forEach(({ spread }, index) => {
    const { x, y, width } = boxes[index];
    if (rooms[index] !== Infinity) return;
    if (spread === "left") rooms[index] = x - left;
    if (spread === "up") rooms[index] = y - top;
    if (spread === "right") rooms[index] = right - x - width;
  });
  const passing = places.filter((place) => place.only_filled);
  const narrowest = room ? MIN_CARD_WIDTH_PIXELS.small : MIN_CARD_WIDTH_PIXELS.book;
  const size = { width: right - left, height: bottom - top };
  // A table of the book whose rows come one after the other is first as high as what always lies there.
  const first = room || !passing.length ? size.height
    : tableExtent(lasting, lasting.map(pileBox), rooms.filter((_, index) => !places[index].only_filled), left).bottom - top;
  return { places, boxes, rooms, rows: rowsOf(places, rooms), passing, first, left, top, ...size, narrowest };
}

/**
 * How far a table reaches to the right and down. Beyond its last pile it has as much room for spreads as on the left.
 * @param {Place[]} places
 * @param {Box[]} boxes
 * @param {number[]} rooms
 * @param {number} left
 */
function tableExtent(places, boxes, rooms, left) {
  const open = places.map((place, index) => ({ spread: place.spread, box: boxes[index], room: rooms[index] }))
    .filter(({ room }) => room === Infinity);
  const leftwards = open.filter(({ spread }) => spread === "left").map(({ box }) => box.x - left);
  const rightward = leftwards.length ? Math.min(...leftwards) : OPEN_SPREAD_WIDTH;
  /** @param {string} spread @param {(box: Box) => number} end */
  const ends = (spread, end) => open.filter((pile) => pile.spread === spread).map(({ box }) => end(box));
  return {
    right: Math.max(...boxes.map((box) => box.x + box.width), ...ends("right", (box) => box.x + box.width + rightward)),
    bottom: Math.max(...boxes.map((box) => box.y + box.height),
      ...ends("down", (box) => box.y + box.height + OPEN_SPREAD_HEIGHT * RATIO)),
  };
}

/**
 * The place of every card of a position, in pixels.
 * @param {MeasuredLayout} table
 * @param {Record<string, string[]>} piles
 * @param {Screen} screen
 */
export function arrangePiles(table, piles, screen) {
  const { grain = 1, zoom = 1 } = screen;
  const card = Math.floor((cardWidth(table, piles, screen) * zoom) / grain) * grain;
  const floor = (screen.height * zoom) / card;
  const signs = screen.large ? 0 : card;
  const passing = table.passing.filter(({ name }) => piles[name]?.length);
  const room = table.places.map((place, index) => {
    if (!spreadDirection(place)) return 0;
    return Math.min(table.rooms[index], clearance(place, passing));
  });
  const places = [...table.places];
  for (const row of table.rows) {
    const wanted = row.members.map((index) => sum(distances(places[index], piles[places[index].name] ?? [], signs).wanted));
    shareRow(row, wanted).forEach((share, number) => {
      const index = row.members[number];
      places[index] = { ...places[index], x: share.x };
      room[index] = share.room;
    });
  }
  const arranged = places.map((place, index) => {
    const laid = arrangePile(place, piles[place.name] ?? [], table.boxes[index], { room: room[index], floor, card, signs, table, grain });
    return { ...laid, place: table.places[index] };
  });
  const shown = arranged.filter(({ place }) => !place.only_filled || piles[place.name]?.length);
  const height = Math.max(...shown.map(({ box }) => box.y + box.height));
  const width = Math.round((table.width * card) / grain) * grain;
  const arrangement = { card: { width: card, height: card * RATIO }, width, height, piles: arranged };
  return screen.mirrored ? mirrored(arrangement) : arrangement;
}

/**
 * The width of a card with which the whole table fits, before any pile is longer than expected.
 * @param {MeasuredLayout} table
 * @param {{width: number, height: number}} screen
 */
export function cardWidthThatFits(table, { width, height }) {
  return Math.min(width / table.width, height / table.height, Math.max(MAX_CARD_WIDTH_PIXELS, width * MAX_CARD_WIDTH_SHARE));
}

/**
 * How high a table is whose rows come one after the other: down to the row after the last one that holds cards.
 * @param {MeasuredLayout} table
 * @param {Record<string, string[]>} piles
 */
function heightNow({ passing, first, top, height }, piles) {
  const ends = passing.map((place) => ({ isFilled: Boolean(piles[place.name]?.length), end: pileBox(place).y + pileBox(place).height - top }));
  const reach = Math.max(first, ...ends.filter(({ isFilled }) => isFilled).map(({ end }) => end));
  const next = ends.map(({ end }) => end).filter((end) => end > reach);
  return Math.min(height, next.length ? Math.min(...next) : height);
}

/**
 * The width of a card: as wide as the screen allows, narrower if the open columns could not be read otherwise.
 * @param {MeasuredLayout} table
 * @param {Record<string, string[]>} piles
 * @param {Screen} screen
 */
function cardWidth(table, piles, { width, height, large = false }) {
  const tall = heightNow(table, piles);
  const widest = cardWidthThatFits({ ...table, height: tall }, { width, height: Math.max(height, table.narrowest * tall) });
  const columns = table.places.map((place, index) => ({ place, box: table.boxes[index], room: table.rooms[index] }))
    .filter(({ room }) => room === Infinity);
  const tooLong = (/** @type {number} */ card) => columns.some(({ place, box }) => {
    const end = box.y - table.top + box.height + sum(distances(place, piles[place.name] ?? [], large ? 0 : card).least);
    return end * card > height;
  });
  const smallest = Math.min(widest, Math.max(widest * MIN_CARD_SIZE_SHARE, table.narrowest));
  let card = widest;
  while (tooLong(card) && card > smallest) card = Math.max(card * SHRINK_FACTOR, smallest);
  return card;
}

/**
 * @param {Place} place
 * @param {string[]} cards
 * @param {Box} base
 * @param {{room: number, floor: number, card: number, signs: number, table: MeasuredLayout, grain: number}} how
 */
function arrangePile(place, cards, base, { room, floor, card, signs, table, grain }) {
  const below = floor + table.top - base.y - base.height;
  const steps = spreadDirection(place) ? cardDistances(place, cards, { room, below, signs }) : [];
  const spots = place.cards ? cardSpots(place, cards.length) : spreadSpots(place, cards, steps);
  const box = unionBox(spots.length ? spots.map(cardBox) : [place.cards ? base : cardBox(place)]);
  const pixel = (/** @type {number} */ value) => Math.round((value * card) / grain) * grain;
  /** @param {{x: number, y: number, turn?: number}} spot */
  const settle = ({ x, y, turn = 0 }) => ({ x: pixel(x - table.left), y: pixel(y * RATIO - table.top), turn });
  return {
    origin: settle(place),
    box: { x: pixel(box.x - table.left), y: pixel(box.y - table.top), width: pixel(box.width), height: pixel(box.height) },
    cards: spots.map(settle),
    tight: steps.some((step, index) => cards[index] !== "--" && isTight(place, step, signs)),
  };
}

/**
 * The distances between a pile's cards in the available room. An open column ends at the bottom of the screen, or where its
 * cards lie as close as possible.
 * @param {Place} place
 * @param {string[]} cards
 * @param {{room: number, below: number, signs: number}} how
 */
function cardDistances(place, cards, { room, below, signs }) {
  const { wanted, least } = distances(place, cards, signs);
  const limit = room === Infinity ? Math.max(below, sum(least)) : Math.max(room, 0);
  const share = Math.min(1, limit / (sum(wanted) || 1));
  return wanted.map((distance) => distance * share);
}

/** Where a pile's cards lie, in the layout's own units. @param {Place} place @param {string[]} cards @param {number[]} steps */
function spreadSpots(place, cards, steps) {
  const way = spreadDirection(place);
  const { x, y, turn } = place;
  if (!way) return cards.map(() => ({ x, y, turn }));
  let reach = 0;
  return [0, ...steps].slice(0, cards.length).map((distance) => {
    reach += distance * way.sign;
    return way.along === "x" ? { x: x + reach, y, turn } : { x, y: y + reach / RATIO, turn };
  });
}

/** Piles from the top layer down. Empty piles lie under all cards. @param {ReturnType<typeof arrangePiles>} arrangement */
export function pilesFromTop({ piles }) {
  const filled = piles.filter(({ cards }) => cards.length).reverse();
  return [...filled, ...piles.filter(({ cards }) => !cards.length).reverse()];
}

/**
 * What is at a point: the topmost pile, and which of its cards, counted from the top (1 is the top card).
 * @param {ReturnType<typeof arrangePiles>} arrangement
 * @param {number} x
 * @param {number} y
 * @returns {{pile: string, depth: number}|null}
 */
export function hitTest(arrangement, x, y) {
  const { width, height } = arrangement.card;
  for (const { place, box, cards } of pilesFromTop(arrangement)) {
    if (!isInside(box, x, y)) continue;
    if ((!spreadDirection(place) && !place.cards) || cards.length < 2) return { pile: place.name, depth: 1 };
    for (let index = cards.length - 1; index >= 0; index -= 1) {
      if (isInside(turnedBox(cards[index], width, height), x, y)) return { pile: place.name, depth: cards.length - index };
    }
  }
  return null;
}
