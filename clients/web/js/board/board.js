/**
 * The cards on the table: draws a scene (piles, the hand, highlighted piles) as elements. Each drawn card keeps one element
 * that is moved, so that the card that is seen to glide is the card that moved.
 *
 * @typedef {Object} Scene
 * @property {Record<string, string[]>} piles
 * @property {Record<string, string[]>} [known] the piles as the server has them: a card above these is marked as pending
 * @property {import("../game/selection.js").Hand} hand
 * @property {Map<string, string>} targets highlighted piles: where the hand may go
 * @property {boolean} [redeal] whether an empty stock may be filled by a redeal
 * @import { ArrangedPile, Spot } from "./geometry.js"
 * @typedef {import("./boxes.js").Place} Place
 * @typedef {import("../game/effects.js").Piles} Piles
 * @typedef {{x: number, y: number}} Point
 * @typedef {import("./card_matching.js").DrawnCard & {node: HTMLElement, spot: Spot, seen?: Point|null}} CardOnBoard
 */
import { faceSizeFor, faceSymbol, visibleEdge } from "../cards/card_faces.js";
import { makeEmptyPile } from "../cards/empty_piles.js";
import { DOWN } from "../game/cards.js";
import { describePile, nameAsIn } from "../language/card_words.js";
import { t } from "../language/translate.js";
import { cardSettings } from "../settings/card_settings.js";
import { onSettingsChange } from "../settings/settings.js";
import { element } from "../ui/dom.js";
import { currentPosition, flip, glide, scaledDuration, shake } from "../ui/motion.js";
import { drawnCards, matchCards, sameLength } from "./card_matching.js";
import { arrangePiles, hitTest } from "./geometry.js";
import { makeLayoutChoice } from "./layout_choice.js";

const SVG = "http://www.w3.org/2000/svg";
/** The arrangement before anything is drawn. @type {ReturnType<typeof arrangePiles>} */
const EMPTY_ARRANGEMENT = { card: { width: 0, height: 0 }, width: 0, height: 0, piles: [] };

export class Board {
  #chooseLayout;
  #table;
  /** @type {Scene|null} */
  #scene = null;
  /** @type {CardOnBoard[]} */
  #drawnCards = [];
  /** @type {Map<string, {place: Place, under: HTMLElement, button: HTMLButtonElement}>} */
  #places = new Map();
  /** `dropped`: let go of, until the move is shown or refused. @type {{pile: string, count: number, x: number, y: number, dropped: boolean}|null} */
  #carried = null;
  /** The cards that this drawing has set in motion. @type {{node: HTMLElement, order: number, run: Animation}[]} */
  #gliding = [];
  /** Its slug: another board may have drawn another game since. */
  #game;
  #observer;
  #stopSettings;

  /**
   * @param {HTMLElement} root the element that the board fills
   * @param {import("./layout_choice.js").Layouts} rules with the layouts of the game
   * @param {{label: string, room: () => {width: number, height: number, zoom?: number, grain?: number}}} options `room` measures the
   *   pixels that the board may use. It is called again when the parent's size changes, and at an event "room" on the root.
   */
  constructor(root, rules, { label, room }) {
    this.root = root;
    this.room = room;
    this.#game = rules.slug ?? "";
    nameAsIn(this.#game);
    this.arrangement = EMPTY_ARRANGEMENT;
    this.carriedBox = { x: 0, y: 0, width: 0, height: 0 };
    this.#chooseLayout = makeLayoutChoice(rules);
    this.#table = this.#chooseLayout(room());
    root.classList.add("board");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", label);
    root.inert = true; // until there is something to press
    this.emptyPiles = element("div", { class: "layer", "aria-hidden": "true" });
    this.cards = element("div", { class: "layer", "aria-hidden": "true" });
    root.replaceChildren(this.emptyPiles, this.cards);
    for (const place of rules.layout.piles) this.#makePlace(place);
    const again = () => this.#scene && this.draw(this.#scene, { moving: false });
    this.#observer = new ResizeObserver(again);
    this.#observer.observe(root.parentElement ?? root);
    root.addEventListener("room", again);
    this.#stopSettings = onSettingsChange(again);
  }

  /** Stop listening. */
  close() {
    this.#observer.disconnect();
    this.#stopSettings();
  }

  /** The role of a pile. @param {string} pile */
  role(pile) {
    return this.#placeOf(pile).place.role;
  }

  /** The button of a pile, for the focus. @param {string} pile */
  button(pile) {
    return this.#placeOf(pile).button;
  }

  /** @param {string} pile */
  #placeOf(pile) {
    const found = this.#places.get(pile);
    if (!found) throw new Error(`There is no pile ${pile}.`);
    return found;
  }

  /** @param {Place} place */
  #makePlace(place) {
    const under = makeEmptyPile(place);
    const over = element("button", { type: "button", class: "place", "data-pile": place.name });
    this.emptyPiles.append(under);
    this.root.append(over);
    this.#places.set(place.name, { place, under, button: over });
  }

  /**
   * Draw a scene.
   * @param {Scene} scene
   * @param {{moving?: boolean, dealing?: boolean}} [how] whether cards glide to their new places (as they always do when the room
   *   calls for another layout), and whether the first scene is dealt card by card
   */
  draw(scene, { moving = true, dealing = false } = {}) {
    const before = this.#scene;
    const room = this.room();
    const table = this.#chooseLayout(room);
    const gliding = moving || table !== this.#table;
    this.#scene = scene;
    this.root.inert = false;
    if (this.#carried?.dropped && hasChanged(this.#carried.pile, before?.piles, scene.piles)) this.release();
    this.#table = table;
    // Read where cards are seen before changing any style: reading after each change would compute the layout each time.
    for (const card of this.#drawnCards) card.seen = gliding ? currentPosition(card.node) : null;
    this.arrangement = arrangePiles(table, scene.piles, { ...cardSettings(), ...room });
    const { card, width, height } = this.arrangement;
    this.root.style.setProperty("--card-width", `${card.width}px`);
    this.root.style.width = `${width}px`;
    this.root.style.height = `${height}px`;
    // A table that cannot grow lies in the middle of its room. Its height is that of the layout, so that it stays there in play.
    const isFixed = !table.rooms.includes(Infinity);
    this.root.classList.toggle("fixed", isFixed);
    this.root.style.minHeight = isFixed ? `${Math.min(room.height, Math.floor(table.height * card.width))}px` : "";
    this.#drawPlaces(scene);
    this.#drawCards(before?.piles ?? {}, scene, gliding && before !== null);
    this.#raiseGliding();
    if (dealing && before === null) this.#dealOut();
    this.#drawCarried();
    this.root.dispatchEvent(new Event("redrawn"));
  }

  /** Animate the opening deal: every card comes from the stock, one soon after the other. */
  #dealOut() {
    const stock = this.arrangement.piles.find(({ place }) => place.role === "stock");
    const from = stock?.origin ?? { x: this.arrangement.width / 2, y: -this.arrangement.card.height };
    this.#drawnCards.forEach(({ node, spot }, order) => glide(node, from, spot, (order * scaledDuration(500)) / this.#drawnCards.length));
  }

  /** @param {Scene} scene */
  #drawPlaces({ piles, hand, targets, redeal = false }) {
    nameAsIn(this.#game);
    for (const { place, box, origin } of this.arrangement.piles) {
      const { under, button } = this.#placeOf(place.name);
      const cards = piles[place.name] ?? [];
      const held = hand.picked.includes(place.name);
      const lit = targets.has(place.name);
      const hidden = Boolean(place.only_filled) && cards.length === 0 && !lit;
      moveTo(button, box);
      button.style.width = `${box.width}px`;
      button.style.height = `${box.height}px`;
      moveTo(under, origin);
      under.classList.toggle("sideways", Boolean((place.turn ?? 0) % 180));
      under.classList.toggle("hidden", hidden);
      under.classList.toggle("spent", place.role === "stock" && !redeal);
      button.classList.toggle("hidden", hidden);
      button.classList.toggle("held", held);
      button.classList.toggle("lit", lit);
      button.classList.toggle("filled", cards.length > 0);
      button.setAttribute("aria-pressed", String(held));
      const words = describePile(place.name, cards);
      button.setAttribute("aria-label", lit ? t("piles.can_go_here", { pile: words }) : words);
      button.tabIndex = hidden ? -1 : 0;
      button.dataset.count = place.role === "stock" && cards.length ? String(cards.length) : "";
    }
  }

  /** @param {Piles} oldPiles @param {Scene} scene @param {boolean} moving */
  #drawCards(oldPiles, { piles: newPiles, known = newPiles, hand: { picked, count } }, moving) {
    const places = this.#table.places;
    const size = faceSizeFor(this.arrangement.card.width);
    const after = drawnCards(places, newPiles);
    const origin = matchCards(this.#drawnCards, after, oldPiles, newPiles);
    const spots = new Map(this.arrangement.piles.map((pile) => [pile.place.name, pile]));
    const held = new Map(picked.map((pile) => [pile, picked.length > 1 ? 1 : count]));
    const previous = this.#drawnCards;
    const kept = new Set(origin);
    previous.filter((_, index) => !kept.has(index)).forEach((old) => removeCard(old.node, newPiles[old.pile]?.[old.index] === old.face));
    this.#drawnCards = after.map((card, order) => {
      const { place, cards, tight } = /** @type {ArrangedPile} */ (spots.get(card.pile));
      const old = previous[origin[order]];
      const node = old?.node ?? this.cards.appendChild(makeCard());
      const covered = tight && card.index < newPiles[card.pile].length - 1;
      const name = faceSymbol(card.face, size, visibleEdge(place.spread ?? "none"), covered);
      this.#setFace(node, card.face, name, moving && old !== undefined && old.face !== card.face);
      node.classList.toggle("held", (held.get(card.pile) ?? 0) > newPiles[card.pile].length - 1 - card.index);
      node.classList.toggle("pending", card.index >= sameLength(newPiles[card.pile], known[card.pile]));
      this.#placeCard(node, old, cards[card.index], { place, order, moving });
      return { ...card, node, spot: cards[card.index] };
    });
  }

  /** @param {HTMLElement} node @param {string} face @param {string} name the symbol's @param {boolean} turning */
  #setFace(node, face, name, turning) {
    const drawing = node.firstElementChild;
    const use = drawing?.firstElementChild;
    if (!drawing || !use || use.getAttribute("href") === `#${name}`) return;
    use.setAttribute("href", `#${name}`);
    node.classList.toggle("down", face === DOWN);
    if (turning) flip(drawing);
  }

  /**
   * @param {HTMLElement} node
   * @param {CardOnBoard|undefined} old
   * @param {Spot} spot
   * @param {{place: Place, order: number, moving: boolean}} how
   */
  #placeCard(node, old, spot, { place, order, moving }) {
    const carried = node.classList.contains("carried");
    const moved = old !== undefined && (carried || old.spot.x !== spot.x || old.spot.y !== spot.y || old.pile !== place.name);
    const from = moved && moving ? old.seen ?? null : null;
    node.style.translate = `${spot.x}px ${spot.y}px`;
    node.style.rotate = spot.turn ? `${spot.turn}deg` : "";
    node.classList.toggle("turned", spot.turn !== 0 && spot.turn !== undefined);
    node.style.zIndex = String(order);
    node.classList.remove("carried");
    if (from === null) return;
    const run = glide(node, from, spot);
    if (run) this.#gliding.push({ node, order, run });
  }

  /** Gliding cards lie above resting ones. All come to rest together, because each change of layers costs a whole frame. */
  #raiseGliding() {
    const gliding = this.#gliding.splice(0);
    for (const { node, order } of gliding) node.style.zIndex = String(1000 + order);
    Promise.allSettled(gliding.map(({ run }) => run.finished)).then(() => {
      for (const { node, order } of gliding) {
        if (Number(node.style.zIndex) === 1000 + order) node.style.zIndex = String(order);
      }
    });
  }

  /**
   * Move the cards in hand by this many pixels.
   * @param {string} pile
   * @param {number} count
   * @param {number} x
   * @param {number} y
   */
  carry(pile, count, x, y) {
    this.#carried = { pile, count, x, y, dropped: false };
    this.#drawCarried();
  }

  /** Leave the carried cards where they are until a drawing takes them from their pile, or until they are released. */
  drop() {
    if (this.#carried) this.#carried.dropped = true;
    this.#drawCarried();
  }

  /** Let go of dropped cards: the next drawing glides them to where they belong. @returns {boolean} whether there were any */
  release() {
    const isDropped = Boolean(this.#carried?.dropped);
    if (isDropped) this.#carried = null;
    return isDropped;
  }

  #drawCarried() {
    if (!this.#carried) return;
    const { pile, count, x, y, dropped } = this.#carried;
    const held = this.#drawnCards.filter((card) => card.pile === pile).slice(-count);
    held.forEach(({ node, spot }, index) => {
      node.getAnimations().forEach((run) => run.cancel());
      node.classList.add("carried");
      node.classList.toggle("pending", dropped);
      node.style.translate = `${spot.x + x}px ${spot.y + y}px`;
      node.style.zIndex = String(2000 + index);
    });
    const first = held[0]?.spot ?? { x: 0, y: 0 };
    this.carriedBox = { x: first.x + x, y: first.y + y, ...this.arrangement.card };
  }

  /**
   * Bring all cards of some piles together in the middle of the table. The next drawing lays them out from there.
   * @param {string[]} piles
   */
  gather(piles) {
    const { card, width, height } = this.arrangement;
    const middle = { x: (width - card.width) / 2, y: (height - card.height) / 2 };
    const taken = this.#drawnCards.filter((one) => piles.includes(one.pile));
    taken.forEach((one, order) => {
      const from = currentPosition(one.node);
      one.spot = { ...one.spot, ...middle };
      one.node.style.translate = `${middle.x}px ${middle.y}px`;
      glide(one.node, from, middle, (order * scaledDuration(120)) / taken.length);
    });
  }

  /** Highlight piles, for example those of a move in the list of moves that has the focus. @param {string[]} piles */
  highlightPiles(piles) {
    for (const [pile, { button }] of this.#places) button.classList.toggle("pointed", piles.includes(pile));
  }

  /** Glide the carried cards back to their place, without a change of the scene. */
  putBack() {
    this.#carried = null;
    for (const { node, spot } of this.#drawnCards) {
      if (!node.classList.contains("carried")) continue;
      const from = currentPosition(node);
      node.classList.remove("carried");
      node.style.translate = `${spot.x}px ${spot.y}px`;
      glide(node, from, spot);
    }
    if (this.#scene) this.draw(this.#scene);
  }

  /**
   * The pile and the depth of the card at a point of the page.
   * @param {number} clientX
   * @param {number} clientY
   * @returns {{pile: string, depth: number}|null}
   */
  pileAt(clientX, clientY) {
    const frame = this.root.getBoundingClientRect();
    return hitTest(this.arrangement, clientX - frame.left, clientY - frame.top);
  }

  /** Shake the top card of a pile: no move is possible there. @param {string} pile */
  shakePile(pile) {
    const top = this.#drawnCards.filter((card) => card.pile === pile).at(-1);
    if (top) shake(top.node);
  }
}

function makeCard() {
  const face = document.createElementNS(SVG, "svg");
  face.setAttribute("viewBox", "0 0 100 140");
  face.append(document.createElementNS(SVG, "use"));
  return element("div", { class: "card" }, face);
}

/**
 * Remove the element of a card: at once, or, if another card covers it, when that card has arrived.
 * @param {HTMLElement} node
 * @param {boolean} covered
 */
function removeCard(node, covered) {
  if (!covered) {
    node.remove();
    return;
  }
  node.style.zIndex = "-1";
  setTimeout(() => node.remove(), 400);
}

/** Whether a pile has other cards in a later position. @param {string} pile @param {Piles|undefined} before @param {Piles} after */
function hasChanged(pile, before, after) {
  return before?.[pile] !== after[pile] && String(before?.[pile]) !== String(after[pile]);
}

/** @param {HTMLElement} node @param {Point} point */
function moveTo(node, { x, y }) {
  node.style.translate = `${x}px ${y}px`;
}
