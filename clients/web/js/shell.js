/** What every page has around it: translated texts in the HTML, and the service worker. */
import { t } from "./language/translate.js";

/** Translate the elements of the HTML: `data-words` is the key of an element's text, `data-label` the key of its label. */
export function translateMarkedElements() {
  for (const one of document.querySelectorAll("[data-words]")) one.textContent = t(String(one.getAttribute("data-words")));
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", t(String(one.getAttribute("data-label"))));
}

/**
 * Register the service worker, which keeps the page for when the server cannot be reached. Browsers allow it over TLS and on
 * localhost.
 */
export function registerWorker() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {});
}
