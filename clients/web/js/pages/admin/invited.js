/** The page behind an invitation: an account is created with it. */
import { makeAccountForm } from "../../account/account_form.js";
import { makeProviderSignIn } from "../../access/provider_panel.js";
import { t } from "../../language/translate.js";
import { claimName } from "../../net/api.js";
import { claimNameWithPasskey, hasPasskeys } from "../../net/passkeys.js";
import { element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { code }, app) {
  app.title(t("admin.invitation_title"));
  const isPlayer = app.player && !app.player.guest;
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("admin.invitation_title"))),
    isPlayer
      ? element("section", { class: "panel" }, element("p", {}, t("admin.invitation_known")), element("p", { class: "actions" }, link("/", t("shell.back"), "button")))
      : makeAccountForm(t("account.claim"), t("account.keep_name"), "new-password", async (name, password) => {
        app.setPlayer(await claimName(name, password, code));
        app.go("/account", { replace: true });
      }, hasPasskeys() ? { words: t("account.passkey_claim"), needsName: true, use: async (name) => {
        app.setPlayer(await claimNameWithPasskey(name, code));
        app.go("/account", { replace: true });
      } } : null), !isPlayer && await makeProviderSignIn(code));
}
