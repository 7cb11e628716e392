/**
 * How to play in twenty seconds: the aim of a game and its rules in a few sentences, as a panel at the first game of its kind,
 * and in the help that "?" opens.
 *
 * @import { BriefLine, RulesPage } from "wire"
 */
import { nameAsIn, pileWords } from "../language/card_words.js";
import { capitalize } from "../language/format.js";
import { saidWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { hasLearned, learn } from "../settings/learned.js";
import { button, element, fromMarkup } from "../ui/dom.js";

/** The rules in brief. @param {RulesPage} rules */
export function briefRules(rules) {
  nameAsIn(rules.slug);
  return element("div", { class: "brief" },
    element("div", { class: "aim", lang: rules.language ?? "en" }, fromMarkup(rules.aim)),
    element("dl", {}, rules.brief.map((line) => element("div", {},
      element("dt", {}, groupWords(line)), element("dd", {}, line.sentences.map(saidWords).join(" "))))));
}

/** @param {BriefLine} line */
function groupWords({ groups }) {
  return groups.length ? capitalize(groups.map(pileWords).join(", ")) : t("help.the_table");
}

/**
 * A panel over the table with the rules in brief; null for somebody who has had this game before.
 * @param {RulesPage} rules
 * @param {{done: () => void, showRules: () => void}} ways `done` is called when the panel is put away
 */
export function makeFirstGamePanel(rules, { done, showRules }) {
  if (hasLearned(rules.slug)) return null;
  const close = () => {
    learn(rules.slug);
    node.remove();
    done();
  };
  const node = element("section", { class: "panel teach", "aria-labelledby": "teach-title" },
    element("h2", { id: "teach-title" }, t("help.how_to_play")), briefRules(rules),
    element("p", { class: "actions" }, button(t("help.got_it"), close, "button primary"), button(t("help.all_rules"), () => {
      close();
      showRules();
    })));
  return node;
}

/** Keys, on a device that has some. @type {[keys: string, name: string][]} */
const KEYS = [
  ["Tab ← ↑ → ↓", "move"], ["Enter", "pick"], ["1 – 9", "count"], ["F", "best"], ["L", "look"], ["I", "tell"], ["Esc", "let_go"],
  ["D", "deal"], ["H", "hint"], ["U", "take_back"], ["+ − 0", "zoom"], ["?", "help"],
];

/** Show the help: the rules of this game in brief, the gestures, and the keys. @param {RulesPage} rules */
export function showHelp(rules) {
  const row = (/** @type {string[]} */ [keys, name]) =>
    element("div", {}, element("dt", {}, element("kbd", {}, keys)), element("dd", {}, t(`seat.key_${name}`)));
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel help-sheet", "aria-labelledby": "help-title" },
    element("h2", { id: "help-title" }, rules.name), briefRules(rules),
    element("h3", {}, t("help.gestures")), element("p", {}, t("seat.keys_hands")),
    element("div", { class: "for-keyboards" }, element("h3", {}, t("help.keys")), element("dl", {}, KEYS.map(row))),
    element("p", { class: "actions" }, button(t("common.close"), () => dialog.close(), "button primary")));
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
