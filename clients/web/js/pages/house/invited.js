/** The page behind an invitation: an account is created with it. */
import { makeAccountForm } from "../../account/account_form.js";
import { t } from "../../language/translate.js";
import { claimName } from "../../net/api.js";
import { element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export function show(root, { code }, app) {
  app.title(t("house.invitation_title"));
  const isPlayer = app.player && !app.player.guest;
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("house.invitation_title"))),
    isPlayer
      ? element("section", { class: "panel" }, element("p", {}, t("house.invitation_known")), element("p", { class: "actions" }, link("/", t("shell.back"), "button")))
      : makeAccountForm(t("account.claim"), t("account.keep_name"), "new-password", async (name, password) => {
        app.setPlayer(await claimName(name, password, code));
        app.go("/", { replace: true });
      }));
}
