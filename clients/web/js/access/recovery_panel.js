/** Recovery codes: shown once when they are made, counted afterwards. */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { countRecoveryCodes, renewRecoveryCodes } from "../net/account_api.js";
import { copyButton } from "../ui/copy_button.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, fill } from "../ui/dom.js";
import { withPassword } from "./confirmation.js";

/** The codes, until the reader has kept them. @param {string[]} codes @param {() => void} done */
export function makeCodesNotice(codes, done) {
  return element("section", { class: "panel secret", role: "status" }, element("h2", {}, t("account.recovery_keep")),
    element("p", {}, t("account.recovery_words")), element("p", {}, t("account.recovery_keep_words")),
    element("ul", { class: "codes" }, codes.map((code) => element("li", {}, element("code", {}, code)))),
    element("p", { class: "actions" }, copyButton(t("account.recovery_copy"), codes.join("\n")),
      button(t("account.recovery_kept"), done, "button primary")));
}

/** The panel with how many codes are left, and a button for new ones. */
export async function makeRecoveryPanel() {
  const problem = element("p", { class: "problem", role: "alert" });
  const count = element("p");
  const notice = element("div");
  const showCount = async () => fill(count, t("account.recovery_left", { count: await countRecoveryCodes() }));
  const renew = async () => {
    problem.textContent = "";
    if (!await confirmAction(t("account.recovery_renew_question"), t("account.recovery_renew"), t("common.no"))) return;
    try {
      fill(notice, makeCodesNotice(await withPassword(renewRecoveryCodes), () => fill(notice)));
      await showCount();
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  await showCount().catch((refusal) => {
    problem.textContent = refusalWords(refusal);
  });
  return element("section", { class: "panel" }, element("h2", {}, t("account.recovery")),
    element("p", {}, t("account.recovery_words")), count, problem, notice,
    element("p", { class: "actions" }, button(t("account.recovery_renew"), renew)));
}
