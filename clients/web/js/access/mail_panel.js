/**
 * The reader's address for mails, where the server sends any, and whether the digest of the week comes there.
 *
 * @import { MailAddress } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { readMailAddress, removeMailAddress, setMailAddress, setMailDigest } from "../net/account_api.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";
import { withPassword } from "./confirmation.js";

/** The panel; null where the server sends no mails. */
export async function makeMailPanel() {
  const own = await readMailAddress().catch(() => null);
  if (!own?.offered) return null;
  const address = element("input", { id: "mail-address", type: "email", required: true, maxlength: 254, autocomplete: "email" });
  const problem = element("p", { class: "problem", role: "alert" });
  const state = element("div", { role: "status" });
  /** @param {MailAddress} shown */
  const show = ({ address: known, confirmed, digest, digest_offered: offered }) => fill(state, known && [
    element("p", {}, t(confirmed ? "account.mail_confirmed" : "account.mail_waiting", { address: known })),
    confirmed && (offered || digest) ? digestSwitch(digest) : null,
    element("p", { class: "actions" }, button(t("account.mail_remove"), () => attempt(removeMailAddress), "quiet")),
  ]);
  /** @param {() => Promise<MailAddress>} work */
  const attempt = async (work) => {
    problem.textContent = "";
    try {
      show(await work());
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  /** @param {boolean} [on] */
  const digestSwitch = (on = false) => {
    const box = element("input", { id: "mail-digest", type: "checkbox", checked: on });
    box.addEventListener("change", async () => {
      await attempt(() => setMailDigest(box.checked));
      if (problem.textContent) box.checked = !box.checked;
      else document.getElementById(box.id)?.focus();
    });
    return element("p", {}, element("label", { class: "check", for: box.id }, box, t("digest.switch")));
  };
  const send = oneAtATime(() => attempt(() => withPassword(() => setMailAddress(address.value.trim()))));
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  const form = element("form", { class: "line", on: { submit } }, element("label", { for: address.id }, t("account.mail_address")),
    element("span", {}, address, element("button", { class: "button primary" }, t("account.mail_set"))), problem);
  clearOnInput(form, problem);
  show(own);
  return element("section", { class: "panel" }, element("h2", {}, t("account.mail")), element("p", {}, t("account.mail_words")), state, form);
}
