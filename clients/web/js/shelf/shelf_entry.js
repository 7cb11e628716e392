/**
 * One game on the shelf: a picture of its table, its name, how hard and how long it is, and how often it is won here.
 *
 * @import { ShelfGame } from "wire"
 */
import { levelWords } from "../daily/deal_states.js";
import { t } from "../language/translate.js";
import { element, fill, link } from "../ui/dom.js";
import { LEVELS } from "./choice.js";
import { makeTablePicture } from "./table_picture.js";

/**
 * @param {ShelfGame} game
 * @returns {{node: HTMLElement, showAlias: (alias: string|null) => void}} `showAlias` shows another name that the game was found by
 */
export function makeShelfEntry(game) {
  const alias = element("p", { class: "fine", hidden: true });
  const node = element("li", { class: "panel" },
    makeTablePicture(game.picture),
    element("div", { class: "about" },
      element("h2", {}, link(`/games/${game.slug}`, game.name)), alias,
      element("p", { class: "figures" }, figures(game)),
      game.played > 0 && element("p", { class: "fine" }, t("games.won_here", { won: game.won, count: game.played })),
      element("p", { class: "summary" }, game.summary)));
  return {
    node,
    showAlias(name) {
      alias.hidden = name === null;
      fill(alias, name !== null && t("games.alias", { name }));
    },
  };
}

/** How hard, how long, how many packs. @param {ShelfGame} game */
function figures({ level, minutes, packs }) {
  return [
    element("strong", {}, makeLevel(level)),
    element("span", {}, t("time.minutes", { minutes })),
    element("span", {}, t("common.packs", { count: packs })),
  ];
}

/** A level as three dots, of which the harder the more are filled, and its name. @param {string} level */
export function makeLevel(level) {
  const filled = LEVELS.indexOf(level);
  const dots = LEVELS.map((_, index) => element("i", { class: index <= filled && "filled" }));
  return element("span", { class: "level" }, element("span", { class: "difficulty", "aria-hidden": "true" }, dots), levelWords(level));
}
