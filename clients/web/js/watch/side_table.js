/**
 * A table in a panel, one of several beside each other: whose it is, the table, and a line of figures under it.
 *
 * @import { RulesPage } from "wire"
 */
import { Board } from "../board/board.js";
import { element } from "../ui/dom.js";
import { watchHands } from "../board/board_input.js";
import { language, t } from "../language/translate.js";
import { coloursOf } from "../settings/card_settings.js";
import { lookThrough } from "../board/pile_dialog.js";

/** A table is never lower than this, in pixels. */
const LEAST = 200;

/**
 * @param {Object} about
 * @param {import("../ui/dom.js").Child[]} about.heading its children
 * @param {string} about.label the table's, for those who do not see it
 * @param {() => number} about.height how high the table may be, in pixels
 * @returns {{node: HTMLElement, felt: HTMLElement, figures: HTMLElement, makeBoard: (rules: RulesPage) => Board}} its
 *   suits wear the game's own colours, whatever the tables beside it wear
 */
export function makeSide({ heading, label, height }) {
  const table = element("div", { class: "still" });
  const felt = element("div", { class: "felt" }, table);
  const figures = element("p", { class: "figures" });
  const node = element("section", { class: "panel side" }, element("h2", {}, heading), felt, figures);
  const room = () => ({
    width: felt.clientWidth - 16, height: Math.max(LEAST, height()), grain: 1 / Math.max(1, Math.round(devicePixelRatio)),
  });
  return {
    node, felt, figures,
    makeBoard(rules) {
      felt.dataset.colours = coloursOf(rules);
      return new Board(table, rules.layout, { label, room });
    },
  };
}

/** A table's figures in a line. @param {{home: number, score: number, played: number}} session */
export function figuresWords({ home, score, played }) {
  return t("watch.figures", { home: t("watch.home", { count: home }), score, moves: t("watch.moves", { count: played }) });
}

/** Who watches: how many, and the names that are known. @param {number} count @param {string[]} names */
export function watchingWords(count, names) {
  if (names.length === 0) return count === 0 ? t("watch.nobody") : t("watch.watching", { count });
  const others = count - names.length;
  const all = others > 0 ? [...names, t("watch.others", { count: others })] : names;
  return t("watch.watched_by", { people: new Intl.ListFormat(language()).format(all) });
}

/**
 * Hands that may look through piles, and do nothing else.
 * @param {Board} board
 * @param {() => Record<string, string[]>|null} piles
 * @returns {() => void} to take them off again
 */
export function lookOnly(board, piles) {
  const nothing = () => {};
  return watchHands(board, {
    touch: nothing, tap: () => true, twice: nothing, tell: nothing, lift: () => 0, targets: () => new Map(), drop: nothing, letGo: nothing,
    look: (pile) => lookThrough(pile, piles()?.[pile] ?? []),
  });
}
