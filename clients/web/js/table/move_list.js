/**
 * The moves that are possible now, in words, beside the rules. Pointing at a move highlights its piles, pressing it plays it.
 *
 * @import { Move } from "../game/moves.js"
 * @import { Piles } from "../game/effects.js"
 */
import { moveWithCards } from "../language/format.js";
import { t } from "../language/translate.js";
import { element, fill } from "../ui/dom.js";

/** At most so many moves are listed. */
const MAX_LISTED = 60;

/**
 * @param {import("./table.js").Table} table
 * @returns {{node: HTMLElement, show: (session: import("../game/session.js").Session) => void}}
 */
export function makeMoveList(table) {
  const heading = element("summary", {});
  const list = element("ul", { class: "moves" });
  const more = element("p", { class: "fine" });
  const node = element("details", { class: "move-list" }, heading, list, more);
  /** @type {import("../game/session.js").Session|null} */
  let shown = null;

  function write() {
    if (!shown || !node.open) return;
    const { moves, piles } = shown;
    const focused = list.contains(document.activeElement);
    table.board.highlightPiles([]);
    fill(list, moves.slice(0, MAX_LISTED).map((move) => makeRow(move, piles ?? {}, table)));
    if (focused) heading.focus();
    more.textContent = moves.length > MAX_LISTED ? t("moves.more_moves", { count: moves.length - MAX_LISTED }) : "";
  }

  node.addEventListener("toggle", write);
  return {
    node,
    show(session) {
      shown = session;
      heading.textContent = t("moves.possible", { count: session.moves.length });
      write();
    },
  };
}

/** @param {Move} move @param {Piles} piles @param {import("./table.js").Table} table */
function makeRow(move, piles, table) {
  const touched = move.kind === "transfer" ? [move.from, move.to] : move.piles;
  const point = () => table.board.highlightPiles(touched);
  const leave = () => table.board.highlightPiles([]);
  const press = () => {
    leave();
    table.play(move.text);
  };
  const on = { click: press, pointerenter: point, focus: point, pointerleave: leave, blur: leave };
  return element("li", {}, element("button", { type: "button", class: "quiet", on }, moveWithCards(move, piles)));
}
