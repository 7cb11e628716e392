/**
 * A pile that is opened in place: its cards lie side by side over the table, beside the pile, until they are put together again.
 * Cards that lie face down stay hidden.
 *
 * @import { Board } from "./board.js"
 * @typedef {{x: number, y: number}} Point
 * @typedef {Object} PileFan
 * @property {(clientX: number, clientY: number) => number} point mark the card at a point of the page; returns its depth (1 is the
 *   top card), or 0 where there is none
 * @property {() => void} close
 */
import { faceSizeFor } from "../cards/card_faces.js";
import { makeCardPicture } from "../cards/card_picture.js";
import { cardWords, describePile, pileWords } from "../language/card_words.js";
import { capitalize } from "../language/format.js";
import { t } from "../language/translate.js";
import { element } from "../ui/dom.js";
import { glide } from "../ui/motion.js";
import { fanRows } from "./fan_rows.js";

/** An opened card is at least and at most so wide, where there is room for it. */
const CARD_PIXELS = { least: 52, most: 96 };
/** Around the cards, between the fan and the edge of the table, and between the fan and the finger that opened it. */
const PADDING_PIXELS = 10;
const CAPTION_PIXELS = 22;
const EDGE_PIXELS = 6;
const FINGER_PIXELS = 30;
/** On a lower table the fan may cover the whole window. */
const LOW_TABLE_PIXELS = 260;

/**
 * Open a pile. A press outside, Escape, the key L, or a change of the window puts it together again.
 * @param {Board} board
 * @param {string} pile
 * @param {string[]} cards the bottom card first
 * @param {{finger: Point|null, choose: (depth: number) => void, closed: () => void}} about `finger`: where it was pressed, on the page;
 *   `choose` takes the depth of a card that is pressed in the fan
 * @returns {PileFan}
 */
export function openPile(board, pile, cards, { finger, choose, closed }) {
  const { node, items } = layOut(board, pile, cards, finger);
  const before = document.activeElement;
  const ending = new AbortController();
  const listening = { capture: true, signal: ending.signal };

  function close() {
    if (ending.signal.aborted) return;
    ending.abort();
    const focused = node.contains(document.activeElement);
    node.remove();
    if (focused && before instanceof HTMLElement) before.focus({ preventScroll: true });
    closed();
  }

  /** The depth of the card at a point of the page. @param {number} x @param {number} y */
  function depthAt(x, y) {
    const found = items.findLastIndex((item) => {
      const { left, right, top, bottom } = item.getBoundingClientRect();
      return x >= left && x < right && y >= top && y < bottom;
    });
    return found < 0 ? 0 : cards.length - found;
  }

  addEventListener("pointerdown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    const depth = depthAt(event.clientX, event.clientY);
    close();
    if (depth) choose(depth);
  }, listening);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && event.key.toLowerCase() !== "l") return;
    event.preventDefault();
    event.stopPropagation();
    close();
  }, listening);
  for (const change of ["resize", "scroll"]) addEventListener(change, close, listening);
  node.addEventListener("focusout", close, { signal: ending.signal });
  node.focus({ preventScroll: true });

  return {
    close,
    point(clientX, clientY) {
      const depth = depthAt(clientX, clientY);
      items.forEach((item, index) => item.classList.toggle("chosen", depth > 0 && index === cards.length - depth));
      return depth;
    },
  };
}

/**
 * Lay the cards of a pile out over the table. They come from their pile.
 * @param {Board} board
 * @param {string} pile
 * @param {string[]} cards
 * @param {Point|null} finger
 */
function layOut({ root, arrangement }, pile, cards, finger) {
  const room = roomAround(root);
  const { card, columns, step, width, height } = fanRows(cards.length, {
    card: Math.min(CARD_PIXELS.most, Math.max(CARD_PIXELS.least, arrangement.card.width)),
    width: room.width - 2 * PADDING_PIXELS, height: room.height - 2 * PADDING_PIXELS - CAPTION_PIXELS,
  });
  const items = cards.map((face) => element("li", { "aria-label": cardWords(face) },
    makeCardPicture(face, faceSizeFor(card), step.x < card ? "left" : "top")));
  const list = element("ol", {}, items);
  const node = element("div", {
    class: "pile-fan", role: "dialog", tabindex: -1, "aria-label": describePile(pile, cards),
    "data-colours": root.closest("[data-colours]")?.getAttribute("data-colours"),
  }, element("p", {}, `${capitalize(pileWords(pile))}: ${t("piles.lowest_first", { count: cards.length })}`), list);
  node.style.setProperty("--card-width", `${card}px`);
  list.style.width = `${width}px`;
  list.style.height = `${height}px`;
  document.body.append(node);

  const table = root.getBoundingClientRect();
  const box = arrangement.piles.find(({ place }) => place.name === pile)?.box ?? { x: 0, y: 0, width: 0 };
  const from = { x: table.left + box.x, y: table.top + box.y };
  const place = placeFan({ width: node.offsetWidth, height: node.offsetHeight }, { room, middle: from.x + box.width / 2, top: from.y, finger });
  node.style.translate = `${place.x}px ${place.y}px`;
  const corner = list.getBoundingClientRect();
  items.forEach((item, index) => {
    const spot = { x: (index % columns) * step.x, y: Math.floor(index / columns) * step.y };
    item.style.translate = `${spot.x}px ${spot.y}px`;
    glide(item, { x: from.x - corner.x, y: from.y - corner.y }, spot);
  });
  return { node, items };
}

/** The part of the window that a fan may cover: the table, or everything if the table is low. @param {HTMLElement} root */
function roomAround(root) {
  const felt = (root.parentElement ?? root).getBoundingClientRect();
  const [left, right] = [Math.max(0, felt.left), Math.min(innerWidth, felt.right)];
  let [top, bottom] = [Math.max(0, felt.top), Math.min(innerHeight, felt.bottom)];
  if (bottom - top < LOW_TABLE_PIXELS) [top, bottom] = [0, innerHeight];
  return new DOMRect(left + EDGE_PIXELS, top + EDGE_PIXELS, right - left - 2 * EDGE_PIXELS, bottom - top - 2 * EDGE_PIXELS);
}

/**
 * Where a fan of this size lies: over its pile, but above or below the finger.
 * @param {{width: number, height: number}} size
 * @param {{room: DOMRect, middle: number, top: number, finger: Point|null}} about
 * @returns {Point}
 */
function placeFan({ width, height }, { room, middle, top, finger }) {
  const x = clamp(middle - width / 2, room.left, room.right - width);
  if (!finger) return { x, y: clamp(top, room.top, room.bottom - height) };
  const above = finger.y - FINGER_PIXELS - height;
  if (above >= room.top) return { x, y: above };
  return { x, y: clamp(finger.y + FINGER_PIXELS, room.top, room.bottom - height) };
}

/** @param {number} value @param {number} least @param {number} most */
function clamp(value, least, most) {
  return Math.max(least, Math.min(value, most));
}
