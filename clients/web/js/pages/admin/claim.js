/** The page behind the link that the server prints when it has no host: whoever opens it becomes the first one. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { becomeHost } from "../../net/admin_api.js";
import { button, element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export function show(root, { code }, app) {
  app.title(t("admin.claim_title"));
  const problem = element("p", { class: "problem", role: "alert" });
  const claim = async () => {
    await becomeHost(code);
    app.go("/house", { replace: true });
  };
  const mayClaim = app.player && !app.player.guest;
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("admin.claim_title")),
    element("p", {}, t(mayClaim ? "admin.claim_words" : "admin.claim_account")),
    element("p", { class: "actions" }, mayClaim ? button(t("admin.claim"), () => claim().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    }), "button primary large") : link("/account", t("account.claim"), "button primary large")), problem));
}
