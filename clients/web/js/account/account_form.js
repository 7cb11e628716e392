/** The form with a name and a password: to create an account, and to sign in. */
import { t } from "../language/translate.js";
import { served } from "../settings/served.js";
import { button, clearOnInput, element, link, oneAtATime } from "../ui/dom.js";

/**
 * @param {string} title @param {string} action @param {string} kind @param {(name: string, password: string) => Promise<void>} submit
 * @param {{words: string, needsName: boolean, use: (name: string) => Promise<void>}|null} [passkey] the other way, by a passkey
 */
export function makeAccountForm(title, action, kind, submit, passkey = null) {
  const key = kind.replace("-", "");
  const name = element("input", { id: `name-${key}`, name: "name", required: true, minlength: 2, maxlength: 24, autocomplete: "username" });
  const password = element("input", {
    id: `password-${key}`, name: "password", type: "password", required: true, minlength: 8, maxlength: 256, autocomplete: kind,
  });
  const problem = element("p", { class: "problem", role: "alert" });
  const send = oneAtATime(() => {
    problem.textContent = "";
    return submit(name.value.trim(), password.value).catch((refusal) => {
      problem.textContent = refusal.message;
    });
  });
  const usePasskey = passkey && oneAtATime(() => {
    problem.textContent = "";
    if (passkey.needsName && !name.value.trim()) {
      problem.textContent = t("account.passkey_nameless");
      name.focus();
      return Promise.resolve();
    }
    return passkey.use(name.value.trim()).catch((refusal) => {
      problem.textContent = refusal.message;
    });
  });
  const made = element("form", {
    class: "panel form",
    on: {
      submit: (event) => {
        event.preventDefault();
        send();
      },
    },
  }, element("h2", {}, title),
  element("label", { for: name.id }, t("account.name")), name,
  element("label", { for: password.id }, t(kind === "new-password" ? "account.password" : "account.password_known")), password,
  kind === "new-password" && served.branding?.rules && element("p", { class: "fine" }, link("/about", t("admin.house_rules"))),
  problem, element("button", { class: "button primary" }, action), passkey && usePasskey && button(passkey.words, usePasskey));
  clearOnInput(made, problem);
  return made;
}
