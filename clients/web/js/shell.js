/** What stands around every page: its marked words in the reader's language, and the worker that speaks when the server cannot. */
import { t } from "./language/translate.js";

/** Put the words that elements ask for into them: `data-words` names their text, `data-label` their label. */
export function translateMarkedElements() {
  for (const one of document.querySelectorAll("[data-words]")) one.textContent = t(String(one.getAttribute("data-words")));
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", t(String(one.getAttribute("data-label"))));
}

/** Keep the page that says that the server cannot be reached, for then; browsers offer it on TLS and on their own machine. */
export function registerWorker() {
  const keep = () => navigator.serviceWorker?.register("/worker.js").catch(() => {});
  if (document.readyState === "complete") keep();
  else addEventListener("load", keep, { once: true });
}
