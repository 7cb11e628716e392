/** The page for who forgot the password: a recovery code sets a new one. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readMailAddress, recoverAccount, recoverByMail } from "../../net/account_api.js";
import { clearOnInput, element, fill, oneAtATime } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("account.forgot"));
  const name = element("input", { id: "forgot-name", required: true, minlength: 2, maxlength: 24, autocomplete: "username" });
  const code = element("input", { id: "forgot-code", required: true, maxlength: 64, autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const password = element("input", { id: "new-password", type: "password", required: true, minlength: 8, maxlength: 256, autocomplete: "new-password" });
  const problem = element("p", { class: "problem", role: "alert" });
  const send = oneAtATime(async () => {
    problem.textContent = "";
    try {
      app.setPlayer(await recoverAccount(name.value.trim(), code.value, password.value));
      app.go("/account", { replace: true });
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  const form = element("form", { class: "panel form notice", on: { submit } }, element("h1", {}, t("account.forgot")),
    element("p", {}, t("account.forgot_words")),
    element("label", { for: name.id }, t("account.name")), name,
    element("label", { for: code.id }, t("account.recovery_code")), code,
    element("label", { for: password.id }, t("account.password")), password, problem,
    element("button", { class: "button primary" }, t("admin.access_set")));
  clearOnInput(form, problem);
  const { offered } = await readMailAddress().catch(() => ({ offered: false }));
  fill(root, form, offered && mailForm());
}

/** The form of the other way: a link by mail. */
function mailForm() {
  const address = element("input", { id: "forgot-mail", type: "email", required: true, maxlength: 254, autocomplete: "email" });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const send = oneAtATime(async () => {
    problem.textContent = "";
    said.textContent = "";
    try {
      await recoverByMail(address.value.trim());
      said.textContent = t("account.mail_sent");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  const form = element("form", { class: "panel form notice", on: { submit } }, element("h2", {}, t("account.mail_forgot")),
    element("p", {}, t("account.mail_forgot_words")), element("label", { for: address.id }, t("account.mail_address")), address,
    problem, said, element("button", { class: "button primary" }, t("account.mail_send")));
  clearOnInput(form, problem);
  return form;
}
