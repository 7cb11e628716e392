/**
 * One of several tables beside each other, in a panel: whose it is, the table, and a line of figures under it.
 *
 * @import { RulesPage } from "wire"
 */
import { Board } from "../board/board.js";
import { listenToBoard } from "../board/board_input.js";
import { scoreWords } from "../language/format.js";
import { languageTag, t } from "../language/translate.js";
import { suitColours } from "../settings/card_settings.js";
import { element } from "../ui/dom.js";

/** A table is never lower than this. */
const MIN_HEIGHT_PIXELS = 200;

/**
 * @param {Object} about
 * @param {import("../ui/dom.js").Child[]} about.heading the children of the heading
 * @param {string} about.label the table's name for screen readers
 * @param {() => number} about.height the largest height of the table, in pixels
 * @returns {{node: HTMLElement, felt: HTMLElement, figures: HTMLElement, makeBoard: (rules: RulesPage) => Board}}
 *   the board's suits have the colours chosen for this game, whatever the tables beside it have
 */
export function makeSideTable({ heading, label, height }) {
  const table = element("div", { class: "still" });
  const felt = element("div", { class: "felt" }, table);
  const figures = element("p", { class: "figures" });
  const node = element("section", { class: "panel side" }, element("h2", {}, heading), felt, figures);
  const room = () => ({
    width: felt.clientWidth - 16, height: Math.max(MIN_HEIGHT_PIXELS, height()), grain: 1 / Math.max(1, Math.round(devicePixelRatio)),
  });
  return {
    node, felt, figures,
    makeBoard(rules) {
      felt.dataset.colours = suitColours(rules);
      return new Board(table, rules, { label, room });
    },
  };
}

/** The figures of a table in one line. @param {{score: number, played: number}} session @param {number} maximum of the score */
export function figuresWords({ score, played }, maximum) {
  return t("watch.figures", { score: scoreWords(score, maximum), moves: t("watch.moves", { count: played }) });
}

/** Who watches: the number of spectators, and the names that are known. @param {number} count @param {string[]} names */
export function spectatorWords(count, names) {
  if (names.length === 0) return count === 0 ? t("watch.nobody") : t("watch.watching", { count });
  const others = count - names.length;
  const all = others > 0 ? [...names, t("watch.others", { count: others })] : names;
  return t("watch.watched_by", { people: new Intl.ListFormat(languageTag()).format(all) });
}

/**
 * Listen to input that opens a pile, and does nothing else.
 * @param {Board} board
 * @param {() => Record<string, string[]>|null} piles
 * @returns {() => void} stops listening
 */
export function allowLookingOnly(board, piles) {
  const nothing = () => {};
  return listenToBoard(board, {
    beforeInput: nothing, tap: () => true, doubleTap: nothing, describePile: nothing, lift: () => 0, targets: () => new Map(),
    drop: nothing, putDown: nothing,
    cards: (pile) => piles()?.[pile] ?? [],
  });
}
