/** The page behind the link in a mail that confirms an address. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { confirmMailAddress } from "../../net/account_api.js";
import { button, element, fill, link, oneAtATime } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export function show(root, { code }, app) {
  app.title(t("account.mail_confirm_title"));
  const problem = element("p", { class: "problem", role: "alert" });
  const confirm = oneAtATime(async () => {
    problem.textContent = "";
    try {
      await confirmMailAddress(code);
      fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("account.mail_done")),
        element("p", { class: "actions" }, link("/account", t("account.title"), "button primary"))));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("account.mail_confirm_title")),
    element("p", { class: "actions" }, button(t("account.mail_confirm"), confirm, "button primary large")), problem));
}
