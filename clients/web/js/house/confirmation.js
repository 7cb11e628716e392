/** Entering the password again, before what cannot be undone. */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { Refusal } from "../net/api.js";
import { confirmPassword } from "../net/house_api.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";

/**
 * Do something, and if the server wants the password again, ask for it and do it once more. Throws the refusal if none is entered.
 * @template Answer
 * @param {() => Promise<Answer>} work
 * @returns {Promise<Answer>}
 */
export async function withPassword(work) {
  try {
    return await work();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code !== "confirmation_needed" || !await askPassword()) throw refusal;
    return work();
  }
}

/** Ask for the password until it is right. @returns {Promise<boolean>} false if the reader closes the question */
function askPassword() {
  return new Promise((answer) => {
    const dialog = element("dialog", { class: "panel ask", "aria-labelledby": "why-again" });
    const password = element("input", { id: "again", type: "password", required: true, autocomplete: "current-password" });
    const problem = element("p", { class: "problem", role: "alert" });
    const send = oneAtATime(async () => {
      try {
        await confirmPassword(password.value);
        dialog.close("yes");
      } catch (refusal) {
        problem.textContent = refusalWords(refusal);
        password.focus();
      }
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      send();
    };
    const form = element("form", { class: "form", on: { submit } },
      element("label", { for: password.id }, t("account.present")), password, problem,
      element("p", { class: "actions" }, button(t("house.cancel"), () => dialog.close("")),
        element("button", { class: "button primary" }, t("house.confirm"))));
    clearOnInput(form, problem);
    fill(dialog, element("p", { class: "lead", id: "why-again" }, t("house.password_again")), form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
