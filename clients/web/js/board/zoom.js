/**
 * Zooms and pans a crowded table: two fingers, two buttons, the keys + - 0, and the wheel with Ctrl. One finger on an empty
 * part of the table pans, and so does a card dragged to the edge. Nothing outside the table moves.
 */
import { t } from "../language/translate.js";
import { button, element } from "../ui/dom.js";

const MAX_ZOOM = 3;
const ZOOM_STEP = 1.3;
/** Within this distance from the edge a dragged card pans the table, by at most this many pixels in each frame. */
const EDGE_PIXELS = 44;
const MAX_PAN_PIXELS_PER_FRAME = 14;

/**
 * @typedef {[x: number, y: number]} Point of the page
 * @typedef {{x: number, y: number}} Anchor a point of the table, relative to its size
 * @typedef {{signal: AbortSignal}} Listening options that end the listening
 */

/** The zoom factor of each key; 0 shows the whole table. @type {Record<string, number>} */
const KEYS = { "+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP, 0: 0 };

/** The last zoom of each game, while this page is open. @type {Map<string, number>} */
const zoomOfGame = new Map();

/** The zoom multiplied by a factor, from the whole table up to the largest zoom. @param {number} zoom @param {number} factor */
export function zoomBy(zoom, factor) {
  const wanted = Math.min(MAX_ZOOM, zoom * factor);
  return wanted < 1.04 ? 1 : wanted;
}

/**
 * How far to pan for a card at this position between two edges: nothing, or more the nearer an edge is.
 * @param {number} at
 * @param {number} low
 * @param {number} high
 */
export function edgePanSpeed(at, low, high) {
  const beyond = at < low + EDGE_PIXELS ? at - low - EDGE_PIXELS : Math.max(0, at - high + EDGE_PIXELS);
  return Math.max(-1, Math.min(1, beyond / EDGE_PIXELS)) * MAX_PAN_PIXELS_PER_FRAME;
}

/**
 * @param {HTMLElement} felt the visible part of the table
 * @param {HTMLElement} table receives an event "room" when it must be drawn again
 * @param {string} slug of the game's rules
 * @param {boolean} keys whether the keys + - 0 zoom this table
 * @returns {{node: HTMLElement, zoom: () => number, close: () => void}}
 */
export function makeZoom(felt, table, slug, keys) {
  let zoom = zoomOfGame.get(slug) ?? 1;
  const ending = new AbortController();
  const listening = { signal: ending.signal };
  const nearer = button("+", () => zoomTo(zoomBy(zoom, ZOOM_STEP)));
  const farther = button("−", () => zoomTo(zoomBy(zoom, 1 / ZOOM_STEP)));
  const node = element("div", { class: "zoom", role: "group", "aria-label": t("zoom.label") }, farther, nearer);
  nearer.setAttribute("aria-label", t("zoom.nearer"));
  farther.setAttribute("aria-label", t("zoom.farther"));
  show();

  function show() {
    nearer.toggleAttribute("disabled", zoom >= MAX_ZOOM);
    farther.toggleAttribute("disabled", zoom <= 1);
    felt.classList.toggle("zoomed", zoom > 1);
  }

  /** The point of the table at a point of the page. @param {number} x @param {number} y @returns {Anchor} */
  function anchorAt(x, y) {
    const frame = table.getBoundingClientRect();
    return { x: (x - frame.left) / frame.width, y: (y - frame.top) / frame.height };
  }

  /** Pan until this point of the table is at this point of the page. @param {Anchor} anchor @param {number} x @param {number} y */
  function panTo(anchor, x, y) {
    const frame = table.getBoundingClientRect();
    felt.scrollLeft += frame.left + anchor.x * frame.width - x;
    felt.scrollTop += frame.top + anchor.y * frame.height - y;
  }

  /** The middle of the visible part of the table. @returns {Point} */
  function middle() {
    const [frame, all] = [felt.getBoundingClientRect(), table.getBoundingClientRect()];
    return [
      (Math.max(frame.left, all.left) + Math.min(frame.right, all.right)) / 2,
      (Math.max(frame.top, all.top) + Math.min(frame.bottom, all.bottom)) / 2,
    ];
  }

  /**
   * Set the zoom. One point of the table stays where it is on the page.
   * @param {number} next
   * @param {Point} [point]
   * @param {Anchor} [anchor]
   */
  function zoomTo(next, [x, y] = middle(), anchor = anchorAt(x, y)) {
    if (next !== zoom) {
      zoom = next;
      zoomOfGame.set(slug, zoom);
      show();
      table.dispatchEvent(new Event("room"));
    }
    panTo(anchor, x, y);
  }

  listenToPinch(felt, table, listening, { zoom: () => zoom, anchorAt, to: zoomTo });
  panAtEdges(felt, table, listening);
  panWithMouse(felt, listening);
  felt.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(zoomBy(zoom, Math.exp(-event.deltaY / 300)), [event.clientX, event.clientY]);
  }, { ...listening, passive: false });
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const inField = target instanceof Element && target.closest("input, select, textarea, dialog");
    const elsewhere = inField || event.ctrlKey || event.metaKey || event.altKey;
    if (keys && !elsewhere && Object.hasOwn(KEYS, event.key)) zoomTo(zoomBy(zoom, KEYS[event.key]));
  }, listening);
  const observer = new ResizeObserver(() => {
    const style = getComputedStyle(felt);
    const across = felt.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const down = felt.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    felt.classList.toggle("pans", table.offsetWidth > across + 1 || table.offsetHeight > down + 1);
  });
  observer.observe(table);
  observer.observe(felt);
  return {
    node,
    zoom: () => zoom,
    close() {
      observer.disconnect();
      ending.abort();
    },
  };
}

/**
 * Zoom with two fingers, on cards too. The point between the fingers stays there.
 * @param {HTMLElement} felt
 * @param {HTMLElement} table
 * @param {Listening} listening
 * @param {Object} look
 * @param {() => number} look.zoom
 * @param {(x: number, y: number) => Anchor} look.anchorAt
 * @param {(zoom: number, point: Point, anchor: Anchor) => void} look.to
 */
function listenToPinch(felt, table, listening, { zoom, anchorAt, to }) {
  /** @type {{distance: number, zoom: number, anchor: Anchor, next: {zoom: number, middle: Point}, waiting: boolean}|null} */
  let pinch = null;
  const active = { ...listening, passive: false };
  /** The fingers on the table; one on the tools belongs to no pinch. @param {TouchEvent} event */
  const fingers = ({ touches }) => [...touches].filter(({ target }) => target instanceof Node && felt.contains(target));
  /** @param {TouchEvent} event @returns {{distance: number, middle: Point}|null} null unless there are two fingers */
  const spanOf = (event) => {
    const [one, other, ...more] = fingers(event);
    return !other || more.length ? null : {
      distance: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
      middle: [(one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2],
    };
  };
  felt.addEventListener("touchstart", (event) => {
    const span = spanOf(event);
    if (!span) return;
    event.preventDefault();
    table.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true }));
    const { distance, middle } = span;
    pinch = { distance, zoom: zoom(), anchor: anchorAt(...middle), next: { zoom: zoom(), middle }, waiting: false };
  }, active);
  felt.addEventListener("touchmove", (event) => {
    const span = spanOf(event);
    if (!pinch || !span) return;
    event.preventDefault();
    const { distance, middle } = span;
    pinch.next = { zoom: zoomBy(pinch.zoom, distance / pinch.distance), middle };
    if (pinch.waiting) return;
    pinch.waiting = true;
    requestAnimationFrame(() => {
      if (!pinch) return;
      pinch.waiting = false;
      to(pinch.next.zoom, pinch.next.middle, pinch.anchor);
    });
  }, active);
  const end = (/** @type {TouchEvent} */ event) => {
    if (fingers(event).length >= 2) return;
    if (pinch?.waiting) to(pinch.next.zoom, pinch.next.middle, pinch.anchor);
    pinch = null;
  };
  felt.addEventListener("touchend", end, listening);
  felt.addEventListener("touchcancel", end, listening);
}

/**
 * Pan while a card is dragged near the edge. A pointer event at the same place then lets the card follow.
 * @param {HTMLElement} felt
 * @param {HTMLElement} table
 * @param {Listening} listening
 */
function panAtEdges(felt, table, listening) {
  /** @type {PointerEvent|null} */
  let last = null;
  let running = false;
  const isDragging = () => table.classList.contains("dragging");
  table.addEventListener("pointermove", (event) => {
    if (!isDragging()) return;
    last = event;
    if (running) return;
    running = true;
    requestAnimationFrame(pan);
  }, listening);

  function pan() {
    running = isDragging();
    if (!running || !last) return;
    const frame = felt.getBoundingClientRect();
    const before = [felt.scrollLeft, felt.scrollTop];
    const within = (/** @type {number} */ wanted, /** @type {number} */ most) => Math.max(0, Math.min(wanted, most));
    const [byX, byY] = [edgePanSpeed(last.clientX, frame.left, frame.right), edgePanSpeed(last.clientY, frame.top, frame.bottom)];
    felt.scrollLeft = within(before[0] + byX, table.offsetWidth - felt.clientWidth + EDGE_PIXELS);
    felt.scrollTop = within(before[1] + byY, table.offsetHeight - felt.clientHeight + EDGE_PIXELS);
    if (felt.scrollLeft !== before[0] || felt.scrollTop !== before[1]) {
      const { pointerId, pointerType, clientX, clientY } = last;
      table.dispatchEvent(new PointerEvent("pointermove", { pointerId, pointerType, clientX, clientY }));
    }
    requestAnimationFrame(pan);
  }
}

/** Pan with the mouse on an empty part of the table. @param {HTMLElement} felt @param {Listening} listening */
function panWithMouse(felt, listening) {
  felt.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    if (event.target instanceof Element && event.target.closest("[data-pile]")) return;
    const panning = new AbortController();
    const done = () => panning.abort();
    const inThis = { signal: AbortSignal.any([panning.signal, listening.signal]) };
    addEventListener("pointermove", ({ movementX, movementY }) => {
      felt.scrollLeft -= movementX;
      felt.scrollTop -= movementY;
    }, inThis);
    addEventListener("pointerup", done, inThis);
    addEventListener("pointercancel", done, inThis);
  }, listening);
}
