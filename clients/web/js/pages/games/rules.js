/** A game: its rules, and a button that deals it. */
import { dealCasual } from "../../daily/begin_deal.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readRules } from "../../net/api.js";
import { changeSettings, setting } from "../../settings/settings.js";
import { makeLevel } from "../../shelf/shelf_entry.js";
import { briefRules } from "../../table/brief_rules.js";
import { button, element, fill, fromMarkup, link } from "../../ui/dom.js";

/**
 * The form that asks for the number of a deal and deals its cards.
 * @param {string} slug of the rules
 * @param {number} most the greatest number
 * @param {import("../../main.js").App} app
 * @param {HTMLElement} problem
 */
function makeNumberForm(slug, most, app, problem) {
  const field = element("input", { id: "deal-number", type: "number", min: 1, max: most, step: 1, required: true, inputmode: "numeric" });
  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    dealCasual(slug, app, { number: Number(field.value) }).catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  }
  return element("form", { class: "deal-number", on: { submit } },
    element("label", { for: "deal-number" }, t("rules.number")), field,
    element("button", { class: "button" }, t("rules.deal_number")),
    element("p", { class: "fine" }, t("rules.number_words", { most })));
}

/** The player's choice of deals that can be won, which is kept as a setting. */
function makeWinnableChoice() {
  /** @type {HTMLInputElement} */
  const input = element("input", { type: "checkbox", on: { change: () => changeSettings({ winnable: input.checked }) } });
  input.checked = setting("winnable") === true;
  return element("div", { class: "winnable-choice" },
    element("label", {}, input, t("rules.winnable")),
    element("p", { class: "fine" }, t("rules.winnable_words")));
}

/** @type {import("../../router.js").Show} */
export async function show(root, { slug }, app) {
  const rules = await readRules(slug);
  const { numbers = 0 } = rules.deal;
  app.title(rules.name);
  const word = element("input", { id: "word", maxlength: 64, autocomplete: "off", placeholder: t("rules.left_to_chance") });
  const problem = element("p", { class: "problem", role: "alert" });
  const searching = element("p", { class: "fine", role: "status" });
  async function begin() {
    const winnable = setting("winnable") === true;
    problem.textContent = "";
    searching.textContent = winnable ? t("rules.searching") : "";
    try {
      await dealCasual(slug, app, { word: word.value, winnable });
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
    searching.textContent = "";
  }
  const text = fromMarkup(rules.page);
  text.querySelector("h1")?.remove();
  const others = rules.also_known_as.filter((name) => !rules.name.includes(name) && !name.includes(rules.name));
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, makeLevel(rules.level), element("span", {}, t("common.packs", { count: rules.packs }))),
      element("h1", {}, rules.name),
      others.length > 0 && element("p", { class: "fine" }, t("games.alias", { name: others.join(", ") })),
      element("p", { class: "fine" }, link(`/winnability?game=${slug}`, t("winnability.link_one")))),
    element("section", { class: "panel deal-panel" },
      element("p", { class: "actions" }, button(t("rules.deal"), begin, "button primary large")),
      searching,
      makeWinnableChoice(),
      element("details", {}, element("summary", {}, t("rules.own_word")),
        element("p", { class: "fine" }, t("rules.own_word_words")),
        element("label", { for: "word" }, t("rules.your_word")), word),
      numbers > 0 && makeNumberForm(slug, numbers, app, problem),
      problem),
    element("div", { class: "reading" },
      element("section", { class: "panel" }, element("h2", {}, t("help.how_to_play")), briefRules(rules)),
      element("article", { class: "panel prose", lang: rules.language ?? "en" }, text)));
}
