/**
 * The table on the page: turns a scene (piles, what is held, what is lit) into elements. It keeps one element for each
 * card drawn and moves it, so that a card seen to glide is the card that moved.
 *
 * @typedef {Object} Scene
 * @property {Record<string, string[]>} piles
 * @property {import("./selection.js").Hand} hand
 * @property {Map<string, string>} targets piles that light up
 * @typedef {import("./difference.js").Drawn & {node: HTMLElement, spot: {x: number, y: number}}} Laid
 */
import { flip, glide, seenAt, shake } from "./animate.js";
import { describePile, DOWN } from "./cards.js";
import { drawn, pairs } from "./difference.js";
import { element } from "./dom.js";
import { edgeFor, faceSymbol, sizeFor } from "./faces.js";
import { arrange, hit, survey } from "./geometry.js";
import { ground } from "./grounds.js";

const SVG = "http://www.w3.org/2000/svg";

export class Board {
  #table;
  #scene = null;
  /** @type {Laid[]} */
  #laid = [];
  #places = new Map();
  #carried = null;
  #observer;

  /**
   * @param {HTMLElement} root filled by the table
   * @param {{piles: import("./boxes.js").Place[]}} layout
   * @param {{label: string, room: () => {width: number, height: number, fitHeight: boolean}}} options `room` measures the
   *   pixels there are; an event "room" on the root says that they have changed, as a new size of its parent does
   */
  constructor(root, layout, { label, room }) {
    this.root = root;
    this.room = room;
    this.#table = survey(layout);
    root.classList.add("board");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", label);
    this.grounds = element("div", { class: "layer", "aria-hidden": "true" });
    this.cards = element("div", { class: "layer", "aria-hidden": "true" });
    root.replaceChildren(this.grounds, this.cards);
    for (const place of layout.piles) this.#makePlace(place);
    const again = () => this.#scene && this.draw(this.#scene, { moving: false });
    this.#observer = new ResizeObserver(again);
    this.#observer.observe(root.parentElement);
    root.addEventListener("room", again);
  }

  /** Give the elements back. */
  close() {
    this.#observer.disconnect();
  }

  /** The role of a pile. @param {string} pile */
  role(pile) {
    return this.#places.get(pile).place.role;
  }

  /** The button that stands for a pile, to focus it. @param {string} pile */
  button(pile) {
    return this.#places.get(pile).button;
  }

  #makePlace(place) {
    const under = ground(place);
    const over = element("button", { type: "button", class: "place", "data-pile": place.name });
    this.grounds.append(under);
    this.root.append(over);
    this.#places.set(place.name, { place, under, button: over });
  }

  /**
   * Show a scene.
   * @param {Scene} scene
   * @param {{moving?: boolean, dealing?: boolean}} [how] whether cards glide to their new places, and whether the first
   *   scene is dealt out before the eyes
   */
  draw(scene, { moving = true, dealing = false } = {}) {
    const before = this.#scene;
    this.#scene = scene;
    this.arrangement = arrange(this.#table, scene.piles, this.room());
    const { card, width, height } = this.arrangement;
    this.size = sizeFor(card.width);
    this.root.style.setProperty("--card-width", `${card.width}px`);
    this.root.style.width = `${width}px`;
    this.root.style.height = `${height}px`;
    this.#drawPlaces(scene);
    this.#drawCards(before?.piles ?? {}, scene.piles, moving && before !== null);
    if (dealing && before === null) this.#dealOut();
    if (this.#carried) this.#carry();
  }

  /** The opening deal: every card comes from the stock, one soon after the other. */
  #dealOut() {
    const stock = this.arrangement.piles.find(({ place }) => place.role === "stock");
    const from = stock?.origin ?? { x: this.arrangement.width / 2, y: -this.arrangement.card.height };
    this.#laid.forEach(({ node, spot }, order) => glide(node, from, spot, (order * 500) / this.#laid.length));
  }

  #drawPlaces({ piles, hand, targets }) {
    for (const { place, box, origin } of this.arrangement.piles) {
      const { under, button } = this.#places.get(place.name);
      const cards = piles[place.name] ?? [];
      const held = hand.picked.includes(place.name);
      const lit = targets.has(place.name);
      const hidden = Boolean(place.only_filled) && cards.length === 0 && !lit;
      put(button, box);
      put(under, origin);
      under.classList.toggle("hidden", hidden);
      button.classList.toggle("hidden", hidden);
      button.classList.toggle("held", held);
      button.classList.toggle("lit", lit);
      button.classList.toggle("filled", cards.length > 0);
      button.setAttribute("aria-pressed", String(held));
      button.setAttribute("aria-label", describePile(place.name, cards) + (lit ? ", can go here" : ""));
      button.tabIndex = hidden ? -1 : 0;
      button.dataset.count = place.role === "stock" && cards.length ? String(cards.length) : "";
    }
  }

  #drawCards(oldPiles, newPiles, moving) {
    const places = this.#table.places;
    const after = drawn(places, newPiles);
    const origin = pairs(this.#laid, after, oldPiles, newPiles);
    const spots = new Map(this.arrangement.piles.map((pile) => [pile.place.name, pile]));
    const { picked, count } = this.#scene.hand;
    const held = new Map(picked.map((pile) => [pile, picked.length > 1 ? 1 : count]));
    const previous = this.#laid;
    const kept = new Set(origin);
    previous.filter((_, index) => !kept.has(index)).forEach((old) => retire(old.node, newPiles[old.pile]?.[old.index] === old.face));
    this.#laid = after.map((card, order) => {
      const { place, cards, tight } = spots.get(card.pile);
      const old = previous[origin[order]];
      const node = old?.node ?? this.cards.appendChild(makeCard());
      const covered = tight && card.index < newPiles[card.pile].length - 1;
      const name = faceSymbol(card.face, this.size, edgeFor(place.spread), covered);
      this.#dress(node, card.face, name, moving && old !== undefined && old.face !== card.face);
      node.classList.toggle("held", held.get(card.pile) > newPiles[card.pile].length - 1 - card.index);
      this.#settle(node, old, cards[card.index], { place, order, moving });
      return { ...card, node, spot: cards[card.index] };
    });
  }

  #dress(node, face, name, turning) {
    const use = node.firstChild.firstChild;
    if (use.getAttribute("href") === `#${name}`) return;
    use.setAttribute("href", `#${name}`);
    node.classList.toggle("down", face === DOWN);
    if (turning) flip(node.firstChild);
  }

  #settle(node, old, spot, { place, order, moving }) {
    const moved = old !== undefined && (old.spot.x !== spot.x || old.spot.y !== spot.y || old.pile !== place.name);
    const from = moved && moving ? seenAt(node) : null;
    node.style.translate = `${spot.x}px ${spot.y}px`;
    node.style.rotate = spot.turn ? `${spot.turn}deg` : "";
    node.style.zIndex = String(order);
    node.classList.remove("carried");
    if (from === null) return;
    const run = glide(node, from, spot);
    if (!run) return;
    node.style.zIndex = String(1000 + order);
    run.onfinish = () => {
      if (Number(node.style.zIndex) === 1000 + order) node.style.zIndex = String(order);
    };
  }

  /** Lift the hand's cards off the table by so many pixels. */
  carry(pile, count, x, y) {
    this.#carried = { pile, count, x, y };
    this.#carry();
  }

  /** Let go of what is carried; the next draw glides it to where it belongs. */
  release() {
    this.#carried = null;
  }

  #carry() {
    const { pile, count, x, y } = this.#carried;
    const held = this.#laid.filter((card) => card.pile === pile).slice(-count);
    held.forEach(({ node, spot }, index) => {
      node.getAnimations().forEach((run) => run.cancel());
      node.classList.add("carried");
      node.style.translate = `${spot.x + x}px ${spot.y + y}px`;
      node.style.zIndex = String(2000 + index);
    });
    const first = held[0]?.spot ?? { x: 0, y: 0 };
    this.carriedBox = { x: first.x + x, y: first.y + y, ...this.arrangement.card };
  }

  /** The lifted cards' own way home without a change of scene. */
  putBack() {
    this.release();
    for (const { node, spot } of this.#laid) {
      if (!node.classList.contains("carried")) continue;
      const from = seenAt(node);
      node.classList.remove("carried");
      node.style.translate = `${spot.x}px ${spot.y}px`;
      glide(node, from, spot);
    }
    if (this.#scene) this.draw(this.#scene);
  }

  /** The pile and depth at a point of the page. @returns {{pile: string, depth: number}|null} */
  at(clientX, clientY) {
    const frame = this.root.getBoundingClientRect();
    return hit(this.arrangement, clientX - frame.left, clientY - frame.top);
  }

  /** Shake a pile's top card: nothing to do there. @param {string} pile */
  refuse(pile) {
    const top = this.#laid.filter((card) => card.pile === pile).at(-1);
    if (top) shake(top.node);
  }
}

function makeCard() {
  const face = document.createElementNS(SVG, "svg");
  face.setAttribute("viewBox", "0 0 100 140");
  face.append(document.createElementNS(SVG, "use"));
  return element("div", { class: "card" }, face);
}

/** Take a card's element away: at once, or, if it lies covered there, when what covers it has arrived. */
function retire(node, covered) {
  if (!covered) {
    node.remove();
    return;
  }
  node.style.zIndex = "-1";
  setTimeout(() => node.remove(), 400);
}

function put(node, { x, y, width, height }) {
  node.style.translate = `${x}px ${y}px`;
  if (width !== undefined) {
    node.style.width = `${width}px`;
    node.style.height = `${height}px`;
  }
}
