/**
 * The list of all games.
 *
 * @import { RulesCard } from "wire"
 */
import { languageTag, t } from "../../language/translate.js";
import { listRules } from "../../net/api.js";
import { element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("games.title"));
  const rules = await listRules();
  const list = element("ul", { class: "catalogue" });
  const found = element("p", { class: "fine", role: "status" });
  /** @type {HTMLInputElement} */
  const search = element("input", {
    type: "search", id: "search", placeholder: t("games.find"), "aria-label": t("games.find"), autocomplete: "off",
    on: { input: showMatches },
  });
  function showMatches() {
    const fitting = matchingGames(rules, search.value);
    fill(list, fitting.map(entry));
    found.textContent = fitting.length ? t("games.found", { count: fitting.length }) : t("games.none");
  }
  showMatches();
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("games.title")), rules.length > 12 && search, found), list);
}

/** @param {RulesCard[]} rules @param {string} wanted */
function matchingGames(rules, wanted) {
  const low = (/** @type {string} */ text) => text.toLocaleLowerCase(languageTag());
  const words = low(wanted.trim());
  return rules.filter((game) => low(`${game.name} ${game.summary}`).includes(words));
}

/** @param {RulesCard} game */
function entry(game) {
  return element("li", { class: "panel" },
    element("h2", {}, link(`/games/${game.slug}`, game.name)),
    element("p", {}, game.summary),
    element("p", { class: "fine" }, t("common.packs", { count: game.packs })));
}
