/** Every game the server knows. */
import { listRules } from "../api.js";
import { element, fill, link } from "../dom.js";
import { counted } from "../cards.js";

/** @param {HTMLElement} root */
export async function show(root, _parameters, app) {
  app.title("The games");
  const rules = await listRules();
  const list = element("ul", { class: "catalogue" });
  const search = element("input", {
    type: "search", id: "search", placeholder: "Find a game", "aria-label": "Find a game", autocomplete: "off",
    on: { input: () => fill(list, entries(rules, search.value)) },
  });
  fill(list, entries(rules, ""));
  fill(root, element("header", { class: "heading" }, element("h1", {}, "The games"), rules.length > 12 && search), list);
}

function entries(rules, wanted) {
  const words = wanted.trim().toLowerCase();
  return rules.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(words)).map((game) =>
    element("li", { class: "panel" },
      element("h2", {}, link(`/games/${game.slug}`, game.name)),
      element("p", {}, game.summary),
      element("p", { class: "fine" }, counted(game.packs, "pack"))));
}
