/** The reader's results of a day as text to send to others. */
import { t } from "../language/translate.js";
import { readShare } from "../net/api.js";
import { copyButton } from "../ui/copy_button.js";
import { button, element } from "../ui/dom.js";

/** Show the text, with buttons to copy and to send it. @param {string} day */
export async function showShareDialog(day) {
  const text = await readShare(day);
  const data = { text };
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel share", "aria-labelledby": "share-title", on: { close: () => dialog.remove() } },
    element("h2", { id: "share-title" }, t("share.title")),
    element("pre", { tabindex: 0, role: "group", "aria-label": t("share.label") }, text),
    element("p", { class: "fine" }, t("share.words")),
    element("p", { class: "actions" },
      copyButton(t("share.copy"), text, "button primary"),
      navigator.canShare?.(data) && button(t("share.send"), () => navigator.share(data).catch(() => {})),
      button(t("common.close"), () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
}
