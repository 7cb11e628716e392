/**
 * Outlines around cards and places of a table, to point at them. They lie above the cards and take no pointer.
 *
 * @typedef {{pile: string, count?: number}} Outlined the top `count` cards of a pile (1 if left out), or its empty place
 */
import { element } from "../ui/dom.js";
import { turnedBox, unionBox } from "./boxes.js";

/**
 * Draw outlines on a board until they are removed.
 * @param {import("./board.js").Board} board
 * @param {Outlined[]} outlined
 * @param {string} [kind] another class for the style sheet
 * @returns {() => void} removes them
 */
export function outline(board, outlined, kind = "") {
  const nodes = outlined.map((one) => element("div", { class: `outline ${kind}`, "data-outlined": one.pile, "aria-hidden": "true" }));
  const place = () => outlined.forEach((one, index) => {
    const box = boxOf(board.arrangement, one);
    const { style } = nodes[index];
    nodes[index].hidden = !box;
    if (!box) return;
    style.translate = `${box.x}px ${box.y}px`;
    style.width = `${box.width}px`;
    style.height = `${box.height}px`;
  });
  place();
  board.root.append(...nodes);
  const resized = new ResizeObserver(place); // the table has another size, as when a phone is turned
  resized.observe(board.root);
  return () => {
    resized.disconnect();
    nodes.forEach((node) => node.remove());
  };
}

/** @param {import("./board.js").Board["arrangement"]} arrangement @param {Outlined} outlined */
function boxOf({ piles, card }, { pile, count = 1 }) {
  const found = piles.find(({ place }) => place.name === pile);
  if (!found) return null;
  const { cards, origin } = found;
  const spots = cards.length ? cards.slice(-Math.max(1, count)) : [origin];
  return unionBox(spots.map((spot) => turnedBox(spot, card.width, card.height)));
}

/**
 * What a move touches: the cards that move, and where they go. A verb that names no pile is about the stock.
 * @param {import("../game/moves.js").Move} move
 * @param {(pile: string) => string} role
 * @param {string[]} piles the names of all piles
 * @returns {Outlined[]}
 */
export function outlinedBy(move, role, piles) {
  if (move.kind === "transfer") return [{ pile: move.from, count: move.count }, { pile: move.to }];
  if (move.piles.length) return move.piles.map((pile) => ({ pile }));
  return piles.filter((pile) => role(pile) === "stock").map((pile) => ({ pile }));
}
