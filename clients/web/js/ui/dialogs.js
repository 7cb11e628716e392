/** Questions in a dialog: before something that cannot be undone, and which of several things was meant. */
import { t } from "../language/translate.js";
import { button, element } from "./dom.js";

/**
 * Ask before something that cannot be undone.
 * @param {string} question
 * @param {string} yes the text of the button that confirms
 * @param {string} no the text of the button that cancels
 * @returns {Promise<boolean>}
 */
export function confirmAction(question, yes, no = t("seat.no_go_on")) {
  /** @param {Close} close */
  const buttons = (close) => [button(no, () => close("")), button(yes, () => close("yes"), "button grave")];
  return showQuestion(question, buttons).then((answer) => answer === "yes");
}

/**
 * Say something until the reader has read it.
 * @param {string} words
 * @param {string} read the text of the button
 */
export async function showNote(words, read) {
  await showQuestion(words, (close) => [button(read, () => close(""), "button primary")]);
}

/**
 * Ask which of several things was meant.
 * @param {string} question
 * @param {string[]} answers
 * @returns {Promise<number>} the number of the chosen answer from 0; -1 if none was chosen
 */
export function chooseOne(question, answers) {
  /** @param {Close} close */
  const buttons = (close) => answers.map((answer, index) => button(answer, () => close(String(index)), "button primary"));
  return showQuestion(question, buttons).then((answer) => (answer === "" ? -1 : Number(answer)));
}

/**
 * @param {string} question
 * @typedef {(answer: string) => void} Close
 * @param {(close: Close) => HTMLElement[]} buttons
 * @returns {Promise<string>} the answer; empty if the dialog was closed without one
 */
function showQuestion(question, buttons) {
  return new Promise((answer) => {
    const dialog = element("dialog", { class: "panel ask", "aria-labelledby": "asked" },
      element("p", { class: "lead", id: "asked" }, question),
      element("p", { class: "actions" }, buttons((decision) => dialog.close(decision))));
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
