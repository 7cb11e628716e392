/**
 * The shelf: every game with a picture of its table, searched, filtered and sorted; one's own unfinished games stand first.
 *
 * @import { ShelfGame } from "wire"
 * @import { App } from "../../main.js"
 */
import { levelWords } from "../../daily/deal_states.js";
import { makeUnfinishedGames } from "../../daily/unfinished_games.js";
import { t } from "../../language/translate.js";
import { listShelf, listUnfinishedGames } from "../../net/api.js";
import { chooseGames, EVERYTHING, LENGTHS, LEVELS, ORDER_NAMES, readChoice, SHELVES, writeChoice } from "../../shelf/choice.js";
import { makeShelfEntry } from "../../shelf/shelf_entry.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";

/** Unfinished games that are shown before the shelf; the others are one press away. */
const MAX_UNFINISHED = 1;

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("games.title"));
  const [games, unfinished] = await Promise.all([
    listShelf(), app.player ? listUnfinishedGames().catch(() => []) : [], loadCss("/style/shelf.css"),
  ]);
  const entries = new Map(games.map((game) => [game.slug, makeShelfEntry(game)]));
  const names = new Map(games.map(({ slug, name }) => [slug, name]));
  const list = element("ul", { class: "shelf" });
  const found = element("span", { role: "status" });
  const everything = button(t("games.show_all"), () => {
    for (const field of Object.values(fields)) field.value = "";
    fields.order.value = EVERYTHING.order;
    showChosen();
    fields.search.focus();
  }, "quiet");
  const fields = makeFields(games, readChoice(location.search));
  const form = element("form", { class: "shelf-choice", role: "search", on: { input: showChosen, submit: (event) => event.preventDefault() } },
    Object.values(fields));

  function showChosen() {
    const choice = readFields(fields);
    const chosen = chooseGames(games, choice);
    fill(list, chosen.map(({ game, alias }) => {
      const entry = entries.get(game.slug);
      entry?.showAlias(alias);
      return entry?.node;
    }));
    fill(found, chosen.length ? t("games.found", { count: chosen.length }) : t("games.none"));
    const query = writeChoice(choice);
    everything.hidden = chosen.length === games.length;
    history.replaceState(history.state, "", location.pathname + query);
  }
  showChosen();
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("games.title"))),
    element("p", { class: "fine" }, link("/winnability", t("winnability.link"))),
    makeUnfinishedGames(unfinished, (slug) => names.get(slug) ?? slug, MAX_UNFINISHED),
    form, element("p", { class: "fine shelf-found" }, found, everything), list);
}

/** @typedef {ReturnType<typeof makeFields>} Fields */

/** @param {ShelfGame[]} games @param {import("../../shelf/choice.js").Choice} choice */
function makeFields(games, choice) {
  const packs = [...new Set(games.map((game) => game.packs))].sort((one, other) => one - other);
  return {
    search: element("input", {
      type: "search", id: "search", placeholder: t("games.find"), "aria-label": t("games.find"), autocomplete: "off", value: choice.search,
    }),
    shelf: makeSelect(t("games.shelf"), choice.shelf,
      [["", t("games.any_shelf")], ...SHELVES.map((shelf) => [shelf, t(`games.shelf_${shelf}`)])]),
    level: makeSelect(t("games.level"), choice.level, [["", t("games.any_level")], ...LEVELS.map((level) => [level, levelWords(level)])]),
    length: makeSelect(t("games.length"), choice.length,
      [["", t("games.any_length")], ...Object.keys(LENGTHS).map((length) => [length, t(`games.length_${length}`)])]),
    packs: makeSelect(t("games.packs"), choice.packs,
      [["", t("games.any_packs")], ...packs.map((count) => [String(count), t("common.packs", { count })])]),
    order: makeSelect(t("games.order"), choice.order, ORDER_NAMES.map((order) => [order, t(`games.order_${order}`)])),
  };
}

/** @param {string} label @param {string} chosen @param {string[][]} options each a value and its text */
function makeSelect(label, chosen, options) {
  return element("select", { "aria-label": label },
    options.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
}

/** @param {Fields} fields @returns {import("../../shelf/choice.js").Choice} */
function readFields({ search, shelf, level, length, packs, order }) {
  return {
    search: search.value, shelf: shelf.value, level: level.value, length: length.value, packs: packs.value,
    order: ORDER_NAMES.find((name) => name === order.value) ?? EVERYTHING.order,
  };
}
