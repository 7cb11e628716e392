/**
 * Hands on the table: one pointer at a time, made into taps, double taps, lifts and drops; and the keyboard beside it.
 *
 * @typedef {Object} Actions
 * @property {() => void} touch before anything else
 * @property {(pile: string, depth: number) => boolean} tap answers whether that did all there was to do
 * @property {(pile: string, depth: number) => void} twice a double tap or click
 * @property {(pile: string, depth: number) => number} lift take a pile in hand; answers how many cards came
 * @property {() => Map<string, string>} targets where the hand may go
 * @property {(pile: string|null) => void} drop on a pile, or beside all
 * @property {() => void} letGo put down what is in hand
 * @property {(pile: string) => void} tell hear more of a pile: the key I
 * @property {(pile: string) => void} look see all of a pile: a long press, the other button, or the key L
 * @import { Box } from "./boxes.js"
 */
import { within } from "./boxes.js";
import { fromAbove } from "./geometry.js";

/** Pixels a pointer may tremble and still tap. */
const TREMBLE = 6;
/** Milliseconds between the taps of a double tap. */
const TWICE = 340;
/** Milliseconds of a long press. */
const LONG = 550;
/** Where arrows lead: across the rows or along them, forwards or back. @type {Record<string, {across: boolean, sign: number}>} */
const ARROWS = {
  ArrowLeft: { across: false, sign: -1 }, ArrowRight: { across: false, sign: 1 },
  ArrowUp: { across: true, sign: -1 }, ArrowDown: { across: true, sign: 1 },
};

/**
 * A pointer that is down: on which card, where on the table, how many cards came along, and whether it has moved, or has
 * moved in vain.
 * @typedef {{pile: string, depth: number, x: number, y: number, count: number, pointer: number, moved: boolean, spent: boolean}} Held
 */

/**
 * @param {import("./board.js").Board} board
 * @param {Actions} actions
 * @returns {() => void} to take the hands off again
 */
export function watchHands(board, actions) {
  const { root } = board;
  const ending = new AbortController();
  const listening = { signal: ending.signal };
  /** @type {Held|null} */
  let held = null;
  let press = 0;
  let last = { pile: "", time: 0, done: false };

  /** Where a pointer is on the table, which may be panned meanwhile. @param {PointerEvent} event */
  function onTable({ clientX, clientY }) {
    const frame = root.getBoundingClientRect();
    return { x: clientX - frame.left, y: clientY - frame.top };
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (held || event.button !== 0 || !event.isPrimary) return;
    actions.touch();
    const found = board.at(event.clientX, event.clientY);
    if (found === null) {
      actions.letGo();
      return;
    }
    held = { ...found, ...onTable(event), count: 0, pointer: event.pointerId, moved: false, spent: false };
    root.setPointerCapture(event.pointerId);
    clearTimeout(press);
    press = setTimeout(() => look(found.pile), LONG);
  }

  /** A press that stayed where it was so long asks to see the pile. @param {string} pile */
  function look(pile) {
    if (!held || held.moved) return;
    held = null;
    actions.look(pile);
  }

  /** @param {PointerEvent} event */
  function move(event) {
    if (!held || event.pointerId !== held.pointer) return;
    const now = onTable(event);
    const [x, y] = [now.x - held.x, now.y - held.y];
    if (held.count === 0) {
      if (Math.hypot(x, y) < TREMBLE || held.spent) return;
      held.moved = true;
      held.count = actions.lift(held.pile, held.depth);
      held.spent = held.count === 0;
      if (held.spent) return;
      root.classList.add("dragging");
    }
    board.carry(held.pile, held.count, x, y);
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (!held || event.pointerId !== held.pointer) return;
    const { pile, depth, count, spent } = held;
    held = null;
    root.classList.remove("dragging");
    if (count > 0) {
      const goal = dropGoal(board, actions.targets(), pile, event);
      board.release();
      actions.drop(goal);
      return;
    }
    if (spent) return;
    const time = event.timeStamp;
    const twice = last.pile === pile && time - last.time < TWICE;
    const { done } = last;
    last = { pile: twice ? "" : pile, time, done: false };
    if (!twice) last.done = actions.tap(pile, depth);
    else if (!done) actions.twice(pile, depth);
  }

  function cancel() {
    if (held?.count) board.putBack();
    held = null;
    root.classList.remove("dragging");
    actions.letGo();
  }

  /** A button pressed by a key or by an aid has no pointer behind it. @param {MouseEvent} event */
  function click(event) {
    const pile = pileUnder(event);
    if (pile && event.detail === 0) actions.tap(pile, 1);
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const pile = pileUnder(event);
    if (event.key === "Escape") {
      cancel();
    } else if (pile && event.key.startsWith("Arrow")) {
      const next = neighbour(board.arrangement, pile, event.key);
      if (next) board.button(next).focus();
      event.preventDefault();
    } else if (pile && /^[1-9]$/.test(event.key)) {
      actions.lift(pile, Number(event.key));
    } else if (pile && event.key.toLowerCase() === "f") {
      actions.twice(pile, 1);
    } else if (pile && event.key.toLowerCase() === "l") {
      actions.look(pile);
    } else if (pile && event.key.toLowerCase() === "i") {
      actions.tell(pile);
    }
  }

  /** @param {MouseEvent} event */
  function menu(event) {
    event.preventDefault();
    const touched = event instanceof PointerEvent && event.pointerType === "touch";
    const found = !touched && !held && board.at(event.clientX, event.clientY);
    if (found) actions.look(found.pile);
  }

  root.addEventListener("pointerdown", down, listening);
  root.addEventListener("pointermove", move, listening);
  root.addEventListener("pointerup", up, listening);
  root.addEventListener("pointercancel", cancel, listening);
  root.addEventListener("click", click, listening);
  root.addEventListener("keydown", key, listening);
  root.addEventListener("contextmenu", menu, listening);
  root.addEventListener("dragstart", (event) => event.preventDefault(), listening);
  return () => {
    clearTimeout(press);
    ending.abort();
  };
}

/** The pile that an event is about. @param {Event} event */
function pileUnder({ target }) {
  return target instanceof Element ? target.closest("[data-pile]")?.getAttribute("data-pile") : undefined;
}

/**
 * Where a drop was meant: the legal target covered most, else whatever lies under the pointer.
 * @param {import("./board.js").Board} board
 * @param {Map<string, string>} targets
 * @param {string} from
 * @param {PointerEvent} event
 */
function dropGoal(board, targets, from, event) {
  const held = board.carriedBox;
  /** @type {{area: number, pile: string|null}} */
  let best = { area: 0, pile: null };
  for (const { place, box } of board.arrangement.piles) {
    if (!targets.has(place.name)) continue;
    const area = overlap(held, box);
    if (area > best.area) best = { area, pile: place.name };
  }
  if (best.area > 0.12 * held.width * held.height) return best.pile;
  const frame = board.root.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  return fromAbove(board.arrangement).find(({ place, box }) => place.name !== from && within(box, x, y))?.place.name ?? null;
}

/** @param {Box} one @param {Box} other */
function overlap(one, other) {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * The nearest pile in an arrow's direction.
 * @param {ReturnType<typeof import("./geometry.js").arrange>} arrangement
 * @param {string} pile
 * @param {string} key ArrowUp, ArrowDown, ArrowLeft, ArrowRight
 */
export function neighbour(arrangement, pile, key) {
  const from = arrangement.piles.find(({ place }) => place.name === pile);
  if (!from || !Object.hasOwn(ARROWS, key)) return null;
  /** @param {{box: Box}} pile */
  const middle = ({ box }) => ({ x: box.x + box.width / 2, y: box.y + Math.min(box.height, arrangement.card.height) / 2 });
  const here = middle(from);
  const { across, sign } = ARROWS[key];
  /** @type {{cost: number, name: string|null}} */
  let best = { cost: Infinity, name: null };
  for (const other of arrangement.piles) {
    const there = middle(other);
    const [ahead, aside] = across ? [there.y - here.y, there.x - here.x] : [there.x - here.x, there.y - here.y];
    const cost = ahead * sign + 2.5 * Math.abs(aside);
    if (ahead * sign > 1 && cost < best.cost) best = { cost, name: other.place.name };
  }
  return best.name;
}
