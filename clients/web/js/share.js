/** One's results of a day as text to send to others. */
import { readShare } from "./api.js";
import { copyButton } from "./copy.js";
import { button, element } from "./dom.js";

/** Show the text, with ways to send it on. @param {string} day */
export async function showShare(day) {
  const text = await readShare(day);
  const data = { text };
  const dialog = element("dialog", { class: "panel share", "aria-labelledby": "share-title", on: { close: () => dialog.remove() } },
    element("h2", { id: "share-title" }, "Your day"),
    element("pre", { tabindex: 0, "aria-label": "Your results as text" }, text),
    element("p", { class: "fine" }, "It says how far you came and how fast, and nothing of any card."),
    element("p", { class: "actions" },
      copyButton("Copy", text, "button primary"),
      navigator.canShare?.(data) && button("Send", () => navigator.share(data).catch(() => {})),
      button("Close", () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
}
