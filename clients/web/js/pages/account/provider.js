/** The page to which the organisation's provider leads back: it finishes the sign-in, lets who is new choose a name, and leads who has confirmed back to where they were. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { claimNameWithProvider, finishSignIn, takePlace } from "../../net/oidc.js";
import { served } from "../../settings/served.js";
import { showNote } from "../../ui/dialogs.js";
import { clearOnInput, element, fill, link, oneAtATime } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("account.provider"));
  const query = new URLSearchParams(location.search);
  history.replaceState(history.state, "", location.pathname); // nobody finds the code in the address
  const place = takePlace();
  try {
    const { outcome, player } = await finishSignIn(query.get("code") || "-", query.get("state") || "-");
    if (outcome === "new") return fill(root, nameForm(app));
    if (outcome === "confirmed") {
      app.go(place || "/account", { replace: true });
      return showNote(t("account.confirmed"), t("common.close"));
    }
    app.setPlayer(player ?? null);
    app.go("/account", { replace: true });
  } catch (refusal) {
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("account.provider")),
      element("p", { class: "problem", role: "alert" }, query.has("error") ? t("account.provider_refused") : refusalWords(refusal)),
      element("p", { class: "actions" }, place ? link(place, t("account.provider_back"), "button primary") : link("/account", t("account.title"), "button primary"))));
  }
}

/** @param {import("../../main.js").App} app */
function nameForm(app) {
  const name = element("input", { id: "provider-name", required: true, minlength: 2, maxlength: 24, autocomplete: "username" });
  const problem = element("p", { class: "problem", role: "alert" });
  const send = oneAtATime(async () => {
    problem.textContent = "";
    try {
      app.setPlayer(await claimNameWithProvider(name.value.trim()));
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
  const form = element("form", { class: "panel form notice", on: { submit } }, element("h1", {}, t("account.claim")),
    element("p", {}, t("account.provider_new")), element("label", { for: name.id }, t("account.name")), name,
    served.branding?.rules && element("p", { class: "fine" }, link("/about", t("admin.house_rules"))), problem, element("button", { class: "button primary" }, t("account.keep_name")));
  clearOnInput(form, problem);
  return form;
}
