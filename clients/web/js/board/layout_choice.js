/**
 * Which of a game's layouts suits the room: that of the book, one for a tall table, or one for a short wide table.
 *
 * @typedef {import("./geometry.js").MeasuredLayout} MeasuredLayout
 * @typedef {{piles: import("./boxes.js").Place[], room?: number[]|null}} Layout
 * @typedef {{slug?: string, layout: Layout, layouts?: {tall: Layout, wide: Layout}|null}} Layouts of one game, the book's first
 */
import { cardWidthThatFits, measureLayout } from "./geometry.js";

/** Below this height a table is short. */
const SHORT_PIXELS = 420;
/** The book's layout is taken in any room where its cards are larger by this factor. */
const GAIN = 1.04;

/**
 * Measure the layouts of a game, once.
 * @param {Layouts} rules
 */
export function makeLayoutChoice({ layout, layouts }) {
  const book = measureLayout(layout);
  const [tall, wide] = layouts ? [measureLayout(layouts.tall), measureLayout(layouts.wide)] : [book, book];
  /**
   * The layout for this room.
   * @param {{width: number, height: number}} room
   * @returns {MeasuredLayout}
   */
  return function choose(room) {
    const suited = room.height > room.width ? tall : room.height < SHORT_PIXELS ? wide : book;
    return cardWidthThatFits(book, room) > GAIN * cardWidthThatFits(suited, room) ? book : suited;
  };
}
