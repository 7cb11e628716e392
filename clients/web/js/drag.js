/**
 * Hands on the table: one pointer at a time, made into taps, double taps, lifts and drops; and the keyboard beside it.
 *
 * @typedef {Object} Actions
 * @property {(pile: string, depth: number) => void} tap
 * @property {(pile: string, depth: number) => void} twice a double tap or click
 * @property {(pile: string, depth: number) => number} lift take a pile in hand; answers how many cards came
 * @property {() => Map<string, string>} targets where the hand may go
 * @property {(pile: string|null) => void} drop
 * @property {() => void} letGo put down what is in hand
 * @property {(pile: string) => void} look see all of a pile: a long press, the other button, or the key L
 */
import { within } from "./boxes.js";

/** Pixels a pointer may tremble and still tap. */
const TREMBLE = 6;
/** Milliseconds between the taps of a double tap. */
const TWICE = 340;
/** Milliseconds of a long press. */
const LONG = 550;

/**
 * @param {import("./board.js").Board} board
 * @param {Actions} actions
 * @returns {() => void} to take the hands off again
 */
export function watchHands(board, actions) {
  const { root } = board;
  let held = null;
  let press = 0;
  let last = { pile: "", time: 0 };

  function down(event) {
    if (held || event.button !== 0 || !event.isPrimary) return;
    const found = board.at(event.clientX, event.clientY);
    if (found === null) {
      actions.letGo();
      return;
    }
    held = { ...found, x: event.clientX, y: event.clientY, count: 0, pointer: event.pointerId };
    root.setPointerCapture(event.pointerId);
    clearTimeout(press);
    press = setTimeout(() => look(found.pile), LONG);
  }

  /** A press that stayed where it was so long asks to see the pile. */
  function look(pile) {
    if (!held || held.moved) return;
    held = null;
    actions.look(pile);
  }

  function move(event) {
    if (!held || event.pointerId !== held.pointer) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
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
    last = twice ? { pile: "", time: 0 } : { pile, time };
    if (twice) actions.twice(pile, depth);
    else actions.tap(pile, depth);
  }

  function cancel() {
    if (held?.count) board.putBack();
    held = null;
    root.classList.remove("dragging");
    actions.letGo();
  }

  /** A button pressed by a key or by an aid has no pointer behind it. */
  function click(event) {
    const pile = event.target.closest("[data-pile]")?.dataset.pile;
    if (pile && event.detail === 0) actions.tap(pile, 1);
  }

  function key(event) {
    const pile = event.target.closest?.("[data-pile]")?.dataset.pile;
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
    }
  }

  function menu(event) {
    event.preventDefault();
    const found = event.pointerType !== "touch" && board.at(event.clientX, event.clientY);
    if (found) actions.look(found.pile);
  }

  const listeners = {
    pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel, click, keydown: key, contextmenu: menu,
    dragstart: (event) => event.preventDefault(),
  };
  for (const [name, listener] of Object.entries(listeners)) root.addEventListener(name, listener);
  return () => {
    clearTimeout(press);
    for (const [name, listener] of Object.entries(listeners)) root.removeEventListener(name, listener);
  };
}

/** Where a drop was meant: the legal target covered most, else whatever lies under the pointer. */
function dropGoal(board, targets, from, event) {
  const held = board.carriedBox;
  let best = { area: 0, pile: null };
  for (const { place, box } of board.arrangement.piles) {
    if (!targets.has(place.name)) continue;
    const area = overlap(held, box);
    if (area > best.area) best = { area, pile: place.name };
  }
  if (best.area > 0.12 * held.width * held.height) return best.pile;
  const frame = board.root.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  const under = board.arrangement.piles.filter(({ place, box }) => place.name !== from && within(box, x, y));
  return under.at(-1)?.place.name ?? null;
}

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
  const middle = ({ box }) => ({ x: box.x + box.width / 2, y: box.y + Math.min(box.height, arrangement.card.height) / 2 });
  const here = middle(arrangement.piles.find(({ place }) => place.name === pile));
  const [across, sign] = { ArrowLeft: [false, -1], ArrowRight: [false, 1], ArrowUp: [true, -1], ArrowDown: [true, 1] }[key];
  let best = { cost: Infinity, name: null };
  for (const other of arrangement.piles) {
    const there = middle(other);
    const [ahead, aside] = across ? [there.y - here.y, there.x - here.x] : [there.x - here.x, there.y - here.y];
    const cost = ahead * sign + 2.5 * Math.abs(aside);
    if (ahead * sign > 1 && cost < best.cost) best = { cost, name: other.place.name };
  }
  return best.name;
}
