/**
 * Taking one's data along, and erasing one's account.
 *
 * @import { Player } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { eraseAccount, OWN_DATA_ADDRESS } from "../net/account_api.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element } from "../ui/dom.js";
import { withPassword } from "../access/confirmation.js";

/** @param {Player} player @param {() => void} leave what follows when the account is erased */
export function makeLeavingPanel(player, leave) {
  const problem = element("p", { class: "problem", role: "alert" });
  const erase = async () => {
    problem.textContent = "";
    if (!await confirmAction(t("account.erase_question"), t("account.erase"), t("common.no"))) return;
    try {
      await withPassword(eraseAccount);
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
      return;
    }
    leave();
  };
  return element("section", { class: "panel" }, element("h2", {}, t("account.leaving")),
    element("p", {}, t("account.leaving_words")),
    element("p", { class: "actions" },
      element("a", { class: "button", href: OWN_DATA_ADDRESS, download: `cadogan-${player.id}.json` }, t("account.download"))),
    element("p", {}, t("account.erase_words")), problem,
    element("p", { class: "actions" }, button(t("account.erase"), erase, "button grave")));
}
