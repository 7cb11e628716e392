/**
 * A panel of what the reader has made that has a token: a list with a button to end each, and a form to make another one,
 * whose token is shown once.
 *
 * @import { Child } from "../ui/dom.js"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { copyButton } from "../ui/copy_button.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, clearOnInput, element, fill, keepFocus, oneAtATime } from "../ui/dom.js";

/**
 * @typedef {object} Words the texts of the button that ends one
 * @property {string} end
 * @property {string} label
 * @property {string} question
 * @property {string} ended what is said afterwards
 */
/** @typedef {{id: string}} Identified */
/** @typedef {{id: string, token: string, about: Child[], fine: Child[]}} Made what was made, and what is said before and after its token */

/**
 * Make the panel, after loading the list.
 * @template {Identified} One
 * @param {object} about
 * @param {string} about.title
 * @param {string} about.explanation
 * @param {(submit: HTMLButtonElement) => Child[]} about.fields of the form, with its button
 * @param {HTMLInputElement} [about.name] the field that is emptied when one was made
 * @param {string} [about.copy] the text of the button that copies the token
 * @param {string} about.action the text of the button that makes one
 * @param {() => Promise<One[]>} about.list
 * @param {() => Promise<Made>} about.make
 * @param {(id: string) => Promise<unknown>} about.end
 * @param {(one: One) => Child} about.row
 * @param {(one: One) => Words} about.words
 */
export async function makeTokenPanel({ title, explanation, fields, name, action, copy = t("people.copy_token"), list, make, end, row, words }) {
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const notice = element("div", { role: "status" });
  const rows = element("div");

  /** Do something, and show a refusal. @param {() => Promise<void>} work */
  const attempt = (work) => {
    problem.textContent = "";
    said.textContent = "";
    return work().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  };
  /** @param {One[]} all */
  const show = (all) => keepFocus(panel, () => fill(rows, all.length > 0 && element("ul", { class: "rows" },
    all.map((one) => element("li", {}, row(one), endButton(words(one), () => attempt(() => remove(one))))))));
  const reload = async () => show(await list());
  /** @param {One} one */
  const remove = async (one) => {
    await end(one.id).finally(reload);
    if (notice.dataset.of === one.id) fill(notice);
    said.textContent = words(one).ended;
  };
  const add = oneAtATime(() => attempt(async () => {
    const made = await make();
    notice.dataset.of = made.id;
    fill(notice, tokenNotice(made, copy));
    if (name) name.value = "";
    await reload();
  }));
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    add();
  };
  const form = element("form", { class: "line", on: { submit } },
    fields(element("button", { class: "button primary" }, action)), problem);
  clearOnInput(form, problem);
  const panel = element("section", { class: "panel" }, element("h2", {}, title),
    element("p", {}, explanation), rows, said, form, notice);
  await attempt(reload);
  return panel;
}

/** A button that asks before it ends one. @param {Words} words @param {() => Promise<void>} end */
function endButton(words, end) {
  const made = button(words.end, async () => {
    if (await confirmAction(words.question, words.end, t("common.no"))) await end();
  }, "quiet");
  made.setAttribute("aria-label", words.label);
  return made;
}

/** @param {Made} made @param {string} copy */
function tokenNotice({ token, about, fine }, copy) {
  return element("div", { class: "secret" }, element("p", {}, about), element("p", {}, element("code", {}, token)),
    element("p", { class: "actions" }, copyButton(copy, token)), fine.length > 0 && element("p", { class: "fine" }, fine));
}

/** How a program sends its token. */
export const TOKEN_HEADER = "Authorization: Bearer …";
