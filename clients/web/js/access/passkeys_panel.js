/**
 * The reader's passkeys: one more is added, and each can be removed.
 *
 * @import { Passkey } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { formatDate, t } from "../language/translate.js";
import { addPasskey, listPasskeys, makePasskey, removePasskey } from "../net/passkeys.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, clearOnInput, element, fill, keepFocus, oneAtATime } from "../ui/dom.js";
import { withPassword } from "./confirmation.js";

/** @param {string} player the name of the reader */
export async function makePasskeysPanel(player) {
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const rows = element("div");
  const name = element("input", { id: "passkey-name", required: true, maxlength: 40, autocomplete: "off" });
  /** @param {() => Promise<Passkey[]|null>} work @param {string} [words] what is said afterwards */
  const attempt = async (work, words = "") => {
    problem.textContent = "";
    said.textContent = "";
    try {
      const passkeys = await work();
      if (!passkeys) return;
      keepFocus(panel, () => fill(rows, passkeys.length > 0 && element("ul", { class: "rows" }, passkeys.map(row))));
      said.textContent = words;
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  const add = oneAtATime(() => attempt(async () => {
    const made = await makePasskey(player, name.value.trim());
    const passkeys = await withPassword(() => addPasskey(made));
    name.value = "";
    return passkeys;
  }, t("account.passkey_added")));
  /** @param {Passkey} passkey */
  const row = (passkey) => {
    const remove = button(t("account.passkey_remove"), () => attempt(async () => {
      const question = t("account.passkey_remove_question", { name: passkey.name });
      return await confirmAction(question, t("account.passkey_remove"), t("common.no")) ? withPassword(() => removePasskey(passkey.id)) : null;
    }, t("account.passkey_removed")), "quiet");
    remove.setAttribute("aria-label", t("account.passkey_remove_label", { name: passkey.name }));
    return element("li", {}, element("span", {}, passkey.name, element("small", { class: "fine" }, timesWords(passkey))), remove);
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    add();
  };
  const form = element("form", { class: "line", on: { submit } }, element("label", { for: name.id }, t("account.passkey_name")),
    element("span", {}, name, element("button", { class: "button primary" }, t("account.passkey_add"))), problem);
  clearOnInput(form, problem);
  const panel = element("section", { class: "panel" }, element("h2", {}, t("account.passkeys")),
    element("p", {}, t("account.passkeys_words")), rows, said, form);
  await attempt(listPasskeys);
  return panel;
}

/** @param {Passkey} passkey */
function timesWords({ created_at: added, used_at: used }) {
  const day = formatDate(added, { dateStyle: "medium" });
  return used ? t("account.passkey_used", { day, moment: formatDate(used, { dateStyle: "medium", timeStyle: "short" }) }) : t("account.passkey_unused", { day });
}
