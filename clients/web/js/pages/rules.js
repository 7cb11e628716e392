/** One game: its rules, and a table of one's own. */
import { beginGame, readRules, sealDeal } from "../api.js";
import { counted } from "../cards.js";
import { chanceWord } from "../chance.js";
import { button, element, fill, fromMarkup } from "../dom.js";

/** @param {HTMLElement} root */
export async function show(root, { slug }, app) {
  const rules = await readRules(slug);
  app.title(rules.name);
  const word = element("input", { id: "word", maxlength: 64, autocomplete: "off", placeholder: "left to chance" });
  const problem = element("p", { class: "problem", role: "alert" });
  const text = fromMarkup(rules.page);
  text.querySelector("h1")?.remove();
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, counted(rules.packs, "pack")), element("h1", {}, rules.name)),
    element("section", { class: "panel deal-panel" },
      element("p", { class: "actions" }, button("Deal a game", () => deal(rules, word.value, app).catch((refusal) => {
        problem.textContent = refusal.message;
      }), "button primary large")),
      element("details", {}, element("summary", {}, "Mix in a word of your own"),
        element("p", { class: "fine" }, "The host seals a secret first; your word is mixed in after it, so that nobody can pick the cards."),
        element("label", { for: "word" }, "Your word "), word),
      problem),
    element("article", { class: "panel prose" }, text));
}

async function deal(rules, word, app) {
  await app.needPlayer();
  const { deal: sealedDeal } = await sealDeal(rules.slug);
  const game = await beginGame(sealedDeal, word.trim() || chanceWord());
  app.go(`/play/${game.id}`);
}

/** The rules page as the server wrote it, under the game's name if it does not bring its own. */
export function rulesText(rules) {
  const text = fromMarkup(rules.page);
  return text.querySelector("h1") ? text : [element("h1", {}, rules.name), text];
}
