/**
 * Confirming that it is the reader, before what cannot be undone: by the password, a passkey, or the organisation's provider.
 *
 * @import { WaysToConfirm } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { Refusal } from "../net/api.js";
import { confirmPassword, readWaysToConfirm } from "../net/admin_api.js";
import { confirmWithProvider } from "../net/oidc.js";
import { confirmWithPasskey, hasPasskeys } from "../net/passkeys.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";

/**
 * Do something, and if the server wants a confirmation, ask for it and do it once more. Throws the refusal if there is none. Who
 * confirms by the provider leaves the page for it, and does it once more themselves.
 * @template Answer
 * @param {() => Promise<Answer>} work
 * @returns {Promise<Answer>}
 */
export async function withPassword(work) {
  try {
    return await work();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code !== "confirmation_needed" || !await askToConfirm(await readWaysToConfirm())) throw refusal;
    return work();
  }
}

/**
 * Ask the reader to confirm, in any way that the account has.
 * @param {WaysToConfirm} ways
 * @returns {Promise<boolean>} false if the reader closes the question
 */
function askToConfirm({ password: hasPassword, passkey, provider }) {
  return new Promise((answer) => {
    const dialog = element("dialog", { class: "panel ask", "aria-labelledby": "why-again" });
    const password = element("input", { id: "again", type: "password", required: true, autocomplete: "current-password" });
    const problem = element("p", { class: "problem", role: "alert" });
    /** @param {() => Promise<unknown>} prove @param {() => void} [failed] */
    const confirmBy = (prove, failed) => oneAtATime(async () => {
      problem.textContent = "";
      try {
        await prove();
        dialog.close("yes");
      } catch (refusal) {
        problem.textContent = refusalWords(refusal);
        failed?.();
      }
    });
    const send = confirmBy(() => confirmPassword(password.value), () => password.focus());
    const leave = async () => {
      await confirmWithProvider();
      await new Promise(() => {}); // the browser goes there
    };
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      send();
    };
    const usesPasskey = passkey && hasPasskeys();
    const form = element("form", { class: "form", on: { submit } },
      hasPassword && [element("label", { for: password.id }, t("account.present")), password],
      !hasPassword && !usesPasskey && !provider && element("p", {}, t("account.confirm_nothing")), problem,
      element("p", { class: "actions" }, button(t("admin.cancel"), () => dialog.close("")),
        usesPasskey && button(t("account.passkey_confirm"), confirmBy(confirmWithPasskey), hasPassword ? "button" : "button primary"),
        provider && button(t("account.provider_confirm", { name: provider }), confirmBy(leave), hasPassword || usesPasskey ? "button" : "button primary"),
        hasPassword && element("button", { class: "button primary" }, t("admin.confirm"))));
    clearOnInput(form, problem);
    fill(dialog, element("p", { class: "lead", id: "why-again" }, t(hasPassword ? "admin.password_again" : "account.confirm_again")), form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
