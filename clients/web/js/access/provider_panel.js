/**
 * Signing in by the organisation's provider, where the server has one: a button for everybody, and a panel for players.
 *
 * @import { OidcProvider } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { goToProvider, linkProvider, readProvider, unlinkProvider } from "../net/oidc.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, fill, oneAtATime } from "../ui/dom.js";
import { withPassword } from "./confirmation.js";

/** A panel with the button that goes to the provider; null where there is none. @param {string} [invitation] the code from a link */
export async function makeProviderSignIn(invitation) {
  const { name } = await readProvider().catch(() => ({ name: null }));
  if (!name) return null;
  const problem = element("p", { class: "problem", role: "alert" });
  const go = oneAtATime(() => attempt(problem, () => goToProvider(invitation)));
  return element("section", { class: "panel" }, element("p", {}, t("account.provider_words", { name })), problem,
    element("p", { class: "actions" }, button(t("account.provider_sign_in", { name }), go, "button primary")));
}

/** The panel of a player, whose account is linked or can be; null where there is no provider and no link. */
export async function makeProviderPanel() {
  const provider = await readProvider().catch(() => null);
  if (!provider?.name && !provider?.linked) return null;
  const name = provider.name ?? t("account.provider_other");
  const problem = element("p", { class: "problem", role: "alert" });
  const state = element("div", { role: "status" });
  const add = oneAtATime(() => attempt(problem, () => withPassword(linkProvider)));
  const remove = oneAtATime(() => attempt(problem, async () => {
    if (!await confirmAction(t("account.provider_unlink_question", { name }), t("account.provider_unlink"), t("common.no"))) return;
    show(await withPassword(unlinkProvider));
  }));
  /** @param {OidcProvider} shown */
  const show = ({ linked }) => fill(state, element("p", {}, t(linked ? "account.provider_linked" : "account.provider_unlinked", { name })),
    element("p", { class: "actions" }, linked ? button(t("account.provider_unlink"), remove, "quiet")
      : provider.name && button(t("account.provider_link", { name }), add, "button primary")));
  show(provider);
  return element("section", { class: "panel" }, element("h2", {}, t("account.provider")), state, problem);
}

/** @param {HTMLElement} problem where it is said why it failed @param {() => Promise<void>} work */
async function attempt(problem, work) {
  problem.textContent = "";
  try {
    await work();
  } catch (refusal) {
    problem.textContent = refusalWords(refusal);
  }
}
