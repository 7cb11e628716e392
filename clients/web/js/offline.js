/** The page shown in place of every other while the server cannot be reached; it goes when the server answers again. */
import { applyChosenLanguage } from "./language/language_choice.js";
import { translateMarkedElements } from "./shell.js";

/** How often the server is looked for, in milliseconds. */
const RETRY_MILLISECONDS = 2000;

async function reloadIfReachable() {
  const found = await fetch("/healthz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
  if (found) location.reload();
  else setTimeout(reloadIfReachable, RETRY_MILLISECONDS);
}

document.getElementById("again")?.addEventListener("click", () => location.reload());
setTimeout(reloadIfReachable, RETRY_MILLISECONDS);
await applyChosenLanguage();
translateMarkedElements();
