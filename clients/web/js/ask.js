/** A question before something that cannot be undone. */
import { button, element } from "./dom.js";

/**
 * @param {string} question
 * @param {string} yes the words on the button that does it
 * @returns {Promise<boolean>}
 */
export function ask(question, yes) {
  return new Promise((answer) => {
    const close = (decision) => {
      dialog.close();
      dialog.remove();
      answer(decision);
    };
    const dialog = element("dialog", { class: "panel ask", on: { cancel: () => close(false) } },
      element("p", { class: "lead" }, question),
      element("p", { class: "actions" }, button("No, go on", () => close(false)), button(yes, () => close(true), "button grave")));
    document.body.append(dialog);
    dialog.showModal();
  });
}
