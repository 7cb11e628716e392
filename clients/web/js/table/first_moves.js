/**
 * The first moves of somebody who is new, shown on the table: a card that can go up, a card that fits on another, cards that go
 * together, the stock.
 * Each tip outlines what it is about, and goes away for ever once the player has done it.
 *
 * @import { Move } from "../game/moves.js"
 * @import { Outlined } from "../board/outlines.js"
 */
import { outline } from "../board/outlines.js";
import { t } from "../language/translate.js";
import { hasLearned, learn } from "../settings/learned.js";
import { button, element } from "../ui/dom.js";

/** @typedef {"first.home"|"first.lay"|"first.gather"|"first.exchange"|"first.stock"} Lesson */
/** @type {Lesson[]} the most useful first */
const LESSONS = ["first.home", "first.lay", "first.gather", "first.exchange", "first.stock"];

/**
 * Which lesson a move teaches.
 * @param {Move} move
 * @param {(pile: string) => string} role
 * @returns {Lesson|null}
 */
export function lessonOf(move, role) {
  if (move.kind === "transfer") {
    if (role(move.from) === "stock") return "first.stock";
    return role(move.to) === "foundation" ? "first.home" : "first.lay";
  }
  if (move.kind !== "verb") return `first.${move.kind}`;
  return move.text === "deal" || move.text === "redeal" ? "first.stock" : null;
}

/**
 * The next tip: the first lesson that is not learned and that a legal move would teach.
 * @param {Move[]} moves
 * @param {(pile: string) => string} role
 * @param {(lesson: Lesson) => boolean} isLearned
 * @returns {{lesson: Lesson, move: Move}|null}
 */
export function nextTip(moves, role, isLearned) {
  for (const lesson of LESSONS) {
    if (isLearned(lesson)) continue;
    const move = moves.find((one) => lessonOf(one, role) === lesson);
    if (move) return { lesson, move };
  }
  return null;
}

/**
 * @param {import("./table.js").Table} table
 * @param {string[]} piles the names of all piles
 * @returns {{node: HTMLElement, show: () => void, played: (text: string) => void, close: () => void}} `show` shows the next tip in
 *   the present position
 */
export function makeFirstMoves(table, piles) {
  const role = (/** @type {string} */ pile) => table.board.role(pile);
  const words = element("p", {});
  const end = button("×", () => {
    LESSONS.forEach(learn);
    show();
  }, "quiet");
  end.setAttribute("aria-label", t("help.no_tips"));
  end.title = t("help.no_tips");
  const node = element("div", { class: "tip", role: "status", hidden: true }, words, end);
  let hide = () => {};

  function show() {
    hide();
    hide = () => {};
    const tip = table.canPlay ? nextTip(table.session.moves, role, hasLearned) : null;
    node.hidden = tip === null;
    if (!tip) return;
    words.textContent = t(`help.${tip.lesson.replace("first.", "tip_")}`);
    hide = outline(table.board, outlinedFor(tip.move), "steady");
  }

  /** @param {Move} move @returns {Outlined[]} */
  function outlinedFor(move) {
    if (move.kind === "gather" || move.kind === "exchange") return move.piles.map((pile) => ({ pile }));
    if (move.kind !== "transfer") return piles.filter((pile) => role(pile) === "stock").map((pile) => ({ pile }));
    return [{ pile: move.from, count: move.count }, { pile: move.to }];
  }

  // The table is drawn in another size when the window changes, and when a column grows.
  const observer = new ResizeObserver(() => !node.hidden && show());
  observer.observe(table.board.root);

  return {
    node,
    show,
    played(text) {
      const move = table.session.moves.find((one) => one.text === text);
      const lesson = move ? lessonOf(move, role) : null;
      if (lesson) learn(lesson);
    },
    close() {
      observer.disconnect();
      hide();
    },
  };
}
