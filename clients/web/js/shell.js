/** What every page has around it: translated texts in the HTML, and the service worker. */
import { t } from "./language/translate.js";
import { button, fill } from "./ui/dom.js";

/** Translate the elements of the HTML: `data-words` is the key of an element's text, `data-label` the key of its label. */
export function translateMarkedElements() {
  for (const one of document.querySelectorAll("[data-words]")) one.textContent = t(String(one.getAttribute("data-words")));
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", t(String(one.getAttribute("data-label"))));
}

/** Where it is kept which announcement the reader has closed. */
const CLOSED = "closed-announcement";

/** Give the announcement of the server a button that hides it. Another announcement is shown again. */
export function makeAnnouncementClosable() {
  const shown = document.getElementById("announcement");
  const text = shown?.querySelector("p");
  if (!shown || !text) return;
  shown.setAttribute("aria-label", t("bar.announcement"));
  shown.hidden = localStorage.getItem(CLOSED) === text.textContent;
  const close = button("×", () => {
    localStorage.setItem(CLOSED, text.textContent);
    shown.hidden = true;
  }, "quiet");
  close.setAttribute("aria-label", t("bar.close_announcement"));
  fill(shown, text, close);
}

/**
 * Register the service worker, which keeps the page for when the server cannot be reached. Browsers allow it over TLS and on
 * localhost.
 */
export function registerWorker() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {});
}
