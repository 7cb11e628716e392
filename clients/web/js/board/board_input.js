/**
 * Input on the board: turns the events of one pointer into taps, double taps, lifts and drops, and handles the keyboard.
 *
 * @typedef {Object} BoardActions
 * @property {() => void} beforeInput called before any other action
 * @property {(pile: string, depth: number) => boolean} tap returns whether the tap did everything, so that a second tap is no double tap
 * @property {(pile: string, depth: number) => void} doubleTap a double tap or click
 * @property {(pile: string, depth: number) => number} lift take cards of a pile in hand; returns how many
 * @property {() => Map<string, string>} targets where the cards in hand may go
 * @property {(pile: string|null) => void} drop the cards in hand on a pile, or outside every pile (null); the board still carries them
 * @property {() => void} putDown empty the hand
 * @property {(pile: string) => void} describePile describe a pile in words: the key I
 * @property {(pile: string) => string[]} cards the cards of a pile as they are seen
 * @import { Box } from "./boxes.js"
 * @import { PileFan } from "./pile_fan.js"
 */
import { DOWN } from "../game/cards.js";
import { isInside } from "./boxes.js";
import { pilesFromTop } from "./geometry.js";
import { openPile } from "./pile_fan.js";

/** Up to this distance a moved pointer still makes a tap. */
const TAP_TOLERANCE_PIXELS = 6;
/** The longest time between the two taps of a double tap. */
const DOUBLE_TAP_MILLISECONDS = 340;
/** After this time a press is a long press, which opens a pile for as long as it lasts. */
const LONG_PRESS_MILLISECONDS = 550;
/**
 * The directions of the arrow keys: vertical or horizontal, forwards or backwards.
 * @type {Record<string, {across: boolean, sign: number}>}
 */
const ARROWS = {
  ArrowLeft: { across: false, sign: -1 }, ArrowRight: { across: false, sign: 1 },
  ArrowUp: { across: true, sign: -1 }, ArrowDown: { across: true, sign: 1 },
};

/**
 * A pointer that is down: on which card, where on the board, how many cards were lifted, and whether it has moved, or has moved
 * where nothing can be lifted; `pointed` is the depth of the card that it points at in the open pile, 0 for none.
 * @typedef {{pile: string, depth: number, x: number, y: number, count: number, pointer: number, moved: boolean, spent: boolean,
 *   pointed: number}} Press
 */

/**
 * @param {import("./board.js").Board} board
 * @param {BoardActions} actions
 * @returns {() => void} stops listening
 */
export function listenToBoard(board, actions) {
  const { root } = board;
  const ending = new AbortController();
  const listening = { signal: ending.signal };
  /** @type {Press|null} */
  let pressed = null;
  /** The pointers that are down on the board: one somewhere else on the page, as a thumb on the tools, is none of them. @type {Set<number>} */
  const down = new Set();
  let longPressTimer = 0;
  /** The pile that is open. @type {{pile: string, shown: string, fan: PileFan}|null} */
  let opened = null;
  let lastTap = { pile: "", time: 0, done: false };

  /** The position of a pointer on the board. The board may be panned during a drag. @param {PointerEvent} event */
  function onTable({ clientX, clientY }) {
    const frame = root.getBoundingClientRect();
    return { x: clientX - frame.left, y: clientY - frame.top };
  }

  /** @param {PointerEvent} event */
  function onPointerDown(event) {
    if (event.isPrimary) down.clear(); // the first on the page: whose end was not told is down no more
    const isFirst = down.size === 0;
    down.add(event.pointerId);
    if (pressed || event.button !== 0 || !isFirst) return;
    actions.beforeInput();
    const found = board.pileAt(event.clientX, event.clientY);
    if (found === null) {
      actions.putDown();
      return;
    }
    pressed = { ...found, ...onTable(event), count: 0, pointer: event.pointerId, moved: false, spent: false, pointed: 0 };
    root.setPointerCapture(event.pointerId);
    clearTimeout(longPressTimer);
    const finger = { x: event.clientX, y: event.clientY };
    longPressTimer = setTimeout(() => onLongPress(found.pile, finger), LONG_PRESS_MILLISECONDS);
  }

  /** Open a pile after a long press without a move, until the press ends. @param {string} pile @param {{x: number, y: number}} finger */
  function onLongPress(pile, finger) {
    if (pressed && !pressed.moved && needsOpening(actions.cards(pile))) open(pile, finger);
  }

  /**
   * Open a pile in place. A card that is pressed there is tapped.
   * @param {string} pile
   * @param {{x: number, y: number}|null} finger where the finger holds it
   */
  function open(pile, finger) {
    opened?.fan.close();
    const cards = actions.cards(pile);
    const choose = (/** @type {number} */ depth) => actions.tap(pile, depth);
    opened = { pile, shown: String(cards), fan: openPile(board, pile, cards, { finger, choose, closed: () => {
      opened = null;
    } }) };
  }

  /** Open a pile, or describe it if nothing would be seen that is not seen already. @param {string} pile */
  function look(pile) {
    if (needsOpening(actions.cards(pile))) open(pile, null);
    else actions.describePile(pile);
  }

  /** Put the open pile together again if its cards have changed. */
  function onRedrawn() {
    if (opened && String(actions.cards(opened.pile)) !== opened.shown) opened.fan.close();
  }

  /** @param {PointerEvent} event */
  function onPointerMove(event) {
    if (!pressed || event.pointerId !== pressed.pointer) return;
    const now = onTable(event);
    const [x, y] = [now.x - pressed.x, now.y - pressed.y];
    if (pressed.count === 0) {
      if (Math.hypot(x, y) < TAP_TOLERANCE_PIXELS || pressed.spent) return;
      if (opened) {
        pressed.pointed = opened.fan.point(event.clientX, event.clientY);
        return;
      }
      pressed.moved = true;
      pressed.count = actions.lift(pressed.pile, pressed.depth);
      pressed.spent = pressed.count === 0;
      if (pressed.spent) return;
      root.classList.add("dragging");
    }
    board.carry(pressed.pile, pressed.count, x, y);
  }

  /** @param {PointerEvent} event */
  function onPointerUp(event) {
    if (!pressed || event.pointerId !== pressed.pointer) return;
    const { pile, depth, count, spent, pointed } = pressed;
    pressed = null;
    root.classList.remove("dragging");
    if (opened) {
      opened.fan.close();
      if (pointed) actions.tap(pile, pointed);
      return;
    }
    if (count > 0) {
      const goal = dropTarget(board, actions.targets(), pile, event);
      actions.drop(goal);
      return;
    }
    if (spent) return;
    const time = event.timeStamp;
    const twice = lastTap.pile === pile && time - lastTap.time < DOUBLE_TAP_MILLISECONDS;
    const { done } = lastTap;
    lastTap = { pile: twice ? "" : pile, time, done: false };
    if (!twice) lastTap.done = actions.tap(pile, depth);
    else if (!done) actions.doubleTap(pile, depth);
  }

  function cancel() {
    if (pressed?.count) board.putBack();
    opened?.fan.close();
    pressed = null;
    root.classList.remove("dragging");
    actions.putDown();
  }

  /** A button pressed by a key or by assistive technology comes without a pointer. @param {MouseEvent} event */
  function onClick(event) {
    const pile = pileUnder(event);
    if (pile && event.detail === 0) actions.tap(pile, 1);
  }

  /** @param {KeyboardEvent} event */
  function onKeyDown(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const pile = pileUnder(event);
    if (event.key === "Escape") {
      cancel();
    } else if (pile && event.key.startsWith("Arrow")) {
      const next = neighbourPile(board.arrangement, pile, event.key);
      if (next) board.button(next).focus();
      event.preventDefault();
    } else if (pile && /^[1-9]$/.test(event.key)) {
      actions.lift(pile, Number(event.key));
    } else if (pile && event.key.toLowerCase() === "f") {
      actions.doubleTap(pile, 1);
    } else if (pile && event.key.toLowerCase() === "l") {
      look(pile);
    } else if (pile && event.key.toLowerCase() === "i") {
      actions.describePile(pile);
    }
  }

  /** @param {MouseEvent} event */
  function onContextMenu(event) {
    event.preventDefault();
    const touched = event instanceof PointerEvent && event.pointerType === "touch";
    const found = !touched && !pressed && board.pileAt(event.clientX, event.clientY);
    if (found) look(found.pile);
  }

  root.addEventListener("pointerdown", onPointerDown, listening);
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    addEventListener(end, ({ pointerId }) => down.delete(pointerId), { capture: true, signal: ending.signal });
  }
  root.addEventListener("pointermove", onPointerMove, listening);
  root.addEventListener("pointerup", onPointerUp, listening);
  root.addEventListener("pointercancel", cancel, listening);
  root.addEventListener("click", onClick, listening);
  root.addEventListener("keydown", onKeyDown, listening);
  root.addEventListener("contextmenu", onContextMenu, listening);
  root.addEventListener("redrawn", onRedrawn, listening);
  root.addEventListener("dragstart", (event) => event.preventDefault(), listening);
  return () => {
    clearTimeout(longPressTimer);
    opened?.fan.close();
    ending.abort();
  };
}

/** Whether some of a pile's cards can be hidden by others: at least two show a face. @param {string[]} cards */
function needsOpening(cards) {
  return cards.filter((card) => card !== DOWN).length > 1;
}

/** The pile that an event belongs to. @param {Event} event */
function pileUnder({ target }) {
  return target instanceof Element ? target.closest("[data-pile]")?.getAttribute("data-pile") : undefined;
}

/**
 * Where a drop was meant to go: the legal pile that the cards cover most, else whatever is under the pointer.
 * @param {import("./board.js").Board} board
 * @param {Map<string, string>} targets
 * @param {string} from
 * @param {PointerEvent} event
 */
function dropTarget(board, targets, from, event) {
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
  return pilesFromTop(board.arrangement).find(({ place, box }) => place.name !== from && isInside(box, x, y))?.place.name ?? null;
}

/** @param {Box} one @param {Box} other */
function overlap(one, other) {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * The nearest pile in the direction of an arrow key.
 * @param {ReturnType<typeof import("./geometry.js").arrangePiles>} arrangement
 * @param {string} pile
 * @param {string} key ArrowUp, ArrowDown, ArrowLeft, ArrowRight
 */
export function neighbourPile(arrangement, pile, key) {
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
