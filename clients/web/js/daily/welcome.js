/**
 * What somebody who is new sees first: what this is in one line, what to do, and a table.
 *
 * @import { Home } from "wire"
 */
import { Board } from "../board/board.js";
import { expandPile } from "../game/cards.js";
import { EMPTY_HAND } from "../game/selection.js";
import { t, tNodes } from "../language/translate.js";
import { element, link } from "../ui/dom.js";

/** How high the picture of the table is at most, as a part of its width. */
const SHAPE = 0.8;

/**
 * @param {NonNullable<Home["sample"]>} sample the table to show
 * @param {HTMLElement[]} actions buttons and links; the first one is what most should do
 * @returns {{node: HTMLElement, draw: () => void, close: () => void}} call `draw` when the node is on the page
 */
export function makeWelcome(sample, actions) {
  const table = element("div");
  // A picture: nothing on it can be pressed, and whoever hears the page hears the line beside it.
  const picture = element("div", { class: "sample-table", inert: true, "aria-hidden": "true" }, table);
  const node = element("section", { class: "panel challenge welcome" },
    element("div", {},
      element("h1", {}, t("home.what")),
      element("p", { class: "lead" }, t("home.newcomer")),
      element("p", { class: "actions" }, actions),
      element("p", { class: "fine" }, t("home.first_is_free")),
      element("p", { class: "fine" }, tNodes("home.account_words", {
        create: link("/account", t("account.claim")), sign_in: link("/account", t("account.sign_in")),
      }))),
    picture);
  /** @type {Board|null} */
  let board = null;
  return {
    node,
    draw() {
      const room = () => ({ width: picture.clientWidth, height: picture.clientWidth * SHAPE });
      board = new Board(table, sample, { label: "", room });
      const piles = Object.fromEntries(Object.entries(sample.piles).map(([name, cards]) => [name, expandPile(cards)]));
      board.draw({ piles, hand: EMPTY_HAND, targets: new Map() }, { moving: false });
    },
    close() {
      board?.close();
    },
  };
}
