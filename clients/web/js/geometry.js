/**
 * From a game's layout, in card widths and heights, to pixels: how large a card can be and where each one lies.
 *
 * Everything is measured in card widths until the very end. A spread pile has room up to the next pile in its way (or
 * the table's edge); where its cards want more, they lie closer together, and before they could not be read any more, all
 * cards become smaller or the table longer.
 *
 * @typedef {import("./boxes.js").Place} Place
 * @typedef {import("./boxes.js").Box} Box
 * @typedef {{x: number, y: number, turn: number}} Spot where a card lies: the upper left corner it has upright, before it
 *   is turned about its centre
 * @typedef {{place: Place, box: Box, origin: Spot, cards: Spot[], tight: boolean}} Arranged `box` covers the whole pile, in
 *   pixels; `origin` is where its first card goes; `tight` says that its cards cover more of one another than they like
 */
import { cardBox, placeBox, RATIO, slots, union, within } from "./boxes.js";
import { clearance, distances, heading, isTight, rowsOf, shareRow, sum } from "./spreading.js";

/** What a pile without an obstacle below may count on, in card heights, when cards are sized. */
const OPEN_HEIGHT = 1.75;
const OPEN_WIDTH = 2;
export const WIDEST_CARD = 124;
const NARROWEST_CARD = 14;
/** Long columns make the cards no smaller than this part of their size, so much at a time. */
const SMALLEST_SHARE = 0.6;
const SMALLER = 0.94;
/** Where the table may be long, columns close up only to this part of what they want. */
const CLOSED_UP = 0.8;

/**
 * The table of a layout: its extent in card widths and each pile's room to spread. Compute it once a game.
 * @param {{piles: Place[]}} layout
 */
export function survey(layout) {
  const places = layout.piles;
  const boxes = places.map(placeBox);
  const lasting = places.filter((place) => !place.only_filled);
  const rooms = places.map((place) => (heading(place) ? clearance(place, lasting) : 0));
  const left = Math.min(0, ...boxes.map((box) => box.x));
  const top = Math.min(0, ...boxes.map((box) => box.y));
  const { right, bottom } = extent(places, boxes, rooms, left);
  places.forEach(({ spread }, index) => {
    const { x, y, width } = boxes[index];
    if (rooms[index] === Infinity && spread !== "down") {
      rooms[index] = { left: x - left, up: y - top, right: right - x - width }[spread];
    }
  });
  const passing = places.filter((place) => place.only_filled);
  return { places, boxes, rooms, rows: rowsOf(places, rooms), passing, left, top, width: right - left, height: bottom - top };
}

/** How far a table reaches to the right and down; as far beyond its spreads to the right as it does on the left. */
function extent(places, boxes, rooms, left) {
  const open = places.map((place, index) => ({ spread: place.spread, box: boxes[index], room: rooms[index] }))
    .filter(({ room }) => room === Infinity);
  const leftwards = open.filter(({ spread }) => spread === "left").map(({ box }) => box.x - left);
  const rightward = leftwards.length ? Math.min(...leftwards) : OPEN_WIDTH;
  const ends = (spread, end) => open.filter((pile) => pile.spread === spread).map(({ box }) => end(box));
  return {
    right: Math.max(...boxes.map((box) => box.x + box.width), ...ends("right", (box) => box.x + box.width + rightward)),
    bottom: Math.max(...boxes.map((box) => box.y + box.height),
      ...ends("down", (box) => box.y + box.height + OPEN_HEIGHT * RATIO)),
  };
}

/**
 * Lay out a position.
 * @param {ReturnType<typeof survey>} table
 * @param {Record<string, string[]>} piles
 * @param {{width: number, height: number, fitHeight: boolean, grain?: number, least?: number}} screen pixels to fill; without
 *   fitHeight the table may be taller than the screen; everything falls on multiples of `grain`; a card is at least `least`
 *   pixels wide, though the table be larger than the screen
 */
export function arrange(table, piles, screen) {
  const grain = screen.grain ?? 1;
  const card = Math.floor(cardWidth(table, piles, screen) / grain) * grain;
  const passing = table.passing.filter(({ name }) => piles[name]?.length);
  const room = table.places.map((place, index) => {
    if (!heading(place)) return 0;
    return Math.min(table.rooms[index], clearance(place, passing));
  });
  const places = [...table.places];
  for (const row of table.rows) {
    const wanted = row.members.map((index) => sum(distances(places[index], piles[places[index].name] ?? [], card).wanted));
    shareRow(row, wanted).forEach((share, number) => {
      const index = row.members[number];
      places[index] = { ...places[index], x: share.x };
      room[index] = share.room;
    });
  }
  const arranged = places.map((place, index) => {
    const laid = lay(place, piles[place.name] ?? [], table.boxes[index], { room: room[index], card, screen, table, grain });
    return { ...laid, place: table.places[index] };
  });
  const height = Math.max(...arranged.map(({ box }) => box.y + box.height));
  return { card: { width: card, height: card * RATIO }, width: table.width * card, height, piles: arranged };
}

/** As wide as the screen allows; smaller, where the screen must hold all, if open columns could not be read otherwise. */
function cardWidth(table, piles, screen) {
  const byHeight = screen.fitHeight ? screen.height / table.height : Infinity;
  const fitting = Math.min(screen.width / table.width, byHeight, WIDEST_CARD);
  const widest = Math.max(NARROWEST_CARD, fitting, screen.least ?? 0);
  if (!screen.fitHeight) return widest;
  const columns = table.places.map((place, index) => ({ place, box: table.boxes[index], room: table.rooms[index] }))
    .filter(({ room }) => room === Infinity);
  const tooLong = (card) => columns.some(({ place, box }) => {
    const end = box.y - table.top + box.height + sum(distances(place, piles[place.name] ?? [], card).least);
    return end * card > screen.height;
  });
  const smallest = Math.max(widest * SMALLEST_SHARE, screen.least ?? 0);
  let card = widest;
  while (tooLong(card) && card * SMALLER > smallest) card *= SMALLER;
  return card;
}

function lay(place, cards, base, { room, card, screen, table, grain }) {
  const floor = screen.height / card + table.top - base.y - base.height;
  const steps = heading(place) ? stepsOf(place, cards, { room, floor, card, long: !screen.fitHeight }) : [];
  const spots = place.cards ? slots(place, cards.length) : spread(place, cards, steps);
  const box = union(spots.length ? spots.map(cardBox) : [place.cards ? base : cardBox(place)]);
  const pixel = (value) => Math.round((value * card) / grain) * grain;
  const settle = ({ x, y, turn = 0 }) => ({ x: pixel(x - table.left), y: pixel(y * RATIO - table.top), turn });
  return {
    origin: settle(place),
    box: { x: pixel(box.x - table.left), y: pixel(box.y - table.top), width: pixel(box.width), height: pixel(box.height) },
    cards: spots.map(settle),
    tight: steps.some((step, index) => cards[index] !== "--" && isTight(place, step, card)),
  };
}

/** The distances between a pile's cards in the room there is; an open column ends at the floor or when it is closed up. */
function stepsOf(place, cards, { room, floor, card, long }) {
  const { wanted, least } = distances(place, cards, card);
  const closed = long ? CLOSED_UP * sum(wanted) : sum(least);
  const limit = room === Infinity ? Math.max(floor, closed) : Math.max(room, 0);
  const share = Math.min(1, limit / (sum(wanted) || 1));
  return wanted.map((distance) => distance * share);
}

/** Where a pile's cards lie, in the layout's own units. */
function spread(place, cards, steps) {
  const way = heading(place);
  const { x, y, turn } = place;
  if (!way) return cards.map(() => ({ x, y, turn }));
  let reach = 0;
  return [0, ...steps].slice(0, cards.length).map((distance) => {
    reach += distance * way.sign;
    return way.along === "x" ? { x: x + reach, y, turn } : { x, y: y + reach / RATIO, turn };
  });
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
    if ((!heading(place) && !place.cards) || cards.length < 2) return { pile: place.name, depth: 1 };
    for (let index = cards.length - 1; index >= 0; index -= 1) {
      if (within({ ...cards[index], width, height }, x, y)) return { pile: place.name, depth: cards.length - index };
    }
  }
  return null;
}
