/** A way to win, move by move, on a table of its own over the page. Closing it leads back to where one was. */
import { stepWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, element, findElement } from "../ui/dom.js";
import { loadCss } from "../ui/load_css.js";
import { BoardViewer, moveBetween } from "../watch/board_viewer.js";
import { makeNotation } from "../watch/notation.js";
import { makeScrubber } from "../watch/scrubber.js";
import { figuresWords, makeSideTable } from "../watch/side_table.js";

/** The height of what is around the table in the dialog, and of the list of moves where it is under the table. */
const OTHER_CONTENT_PIXELS = 260;
const LIST_PIXELS = 180;
const LIST_IS_BELOW = matchMedia("(max-width: 720px) and (orientation: portrait)");

/**
 * @param {import("wire").RulesPage} rules
 * @param {import("../game/replay_steps.js").Step[]} steps the position where the way begins, then its moves
 * @param {string} title
 * @param {string} back the text of the button that closes it
 */
export async function showWay(rules, steps, title, back) {
  await loadCss("/style/watch.css");
  await loadCss("/style/analysis.css");
  const height = () => innerHeight - OTHER_CONTENT_PIXELS - (LIST_IS_BELOW.matches ? LIST_PIXELS : 0);
  const side = makeSideTable({ heading: [title], label: title, height });
  const where = element("output", { class: "where" });
  const end = steps.length - 1;
  const words = (/** @type {number} */ index) => t("replay.where", { now: index, last: end, words: stepWords(steps[index]) });
  const scrubber = makeScrubber({ stops: [...steps.keys()], go, words });
  const list = makeNotation(steps, scrubber.go);
  findElement(side.node, "h2").id = "way-title";
  side.node.append(element("div", { class: "under" }, scrubber.node, where, side.figures));
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "way", "aria-labelledby": "way-title" }, side.node, list.node,
    element("p", { class: "actions" }, button(back, () => dialog.close(), "button primary")));
  document.body.append(dialog);
  dialog.showModal();
  const table = new BoardViewer(side.makeBoard(rules));
  let now = -1;

  /** @param {number} wanted */
  function go(wanted) {
    table.show(steps[wanted].session.piles, moveBetween(steps, now, wanted));
    now = wanted;
    side.figures.textContent = figuresWords(steps[wanted].session, rules.maximum);
    where.textContent = words(wanted);
    list.show(wanted);
  }

  dialog.addEventListener("close", () => {
    scrubber.close();
    table.close();
    dialog.remove();
  });
  scrubber.go(0);
  findElement(dialog, ".run").focus();
  return dialog;
}
