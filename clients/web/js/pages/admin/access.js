/** The page behind the link of a host, with which a player sets a new password. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { regainAccess } from "../../net/admin_api.js";
import { clearOnInput, element, fill, oneAtATime } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export function show(root, { code }, app) {
  app.title(t("admin.access_title"));
  const password = element("input", { id: "new-password", type: "password", required: true, minlength: 8, maxlength: 256, autocomplete: "new-password" });
  const problem = element("p", { class: "problem", role: "alert" });
  const send = oneAtATime(async () => {
    problem.textContent = "";
    try {
      app.setPlayer(await regainAccess(code, password.value));
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
  const form = element("form", { class: "panel form notice", on: { submit } }, element("h1", {}, t("admin.access_title")),
    element("label", { for: password.id }, t("account.password")), password, problem,
    element("button", { class: "button primary" }, t("admin.access_set")));
  clearOnInput(form, problem);
  fill(root, form);
}
