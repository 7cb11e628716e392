/** The page that is shown while the server cannot be reached. It reloads when the server answers again. */
import { applyChosenLanguage } from "./language/language_choice.js";
import { translateMarkedElements } from "./shell.js";

/** The time between two attempts to reach the server. */
const RETRY_MILLISECONDS = 2000;
const DEADLINE_MILLISECONDS = 5000;

async function reloadIfReachable() {
  const found = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(DEADLINE_MILLISECONDS) }).then((answer) => answer.ok, () => false);
  if (found) location.reload();
  else setTimeout(reloadIfReachable, RETRY_MILLISECONDS);
}

addEventListener("online", () => location.reload());
document.getElementById("again")?.addEventListener("click", () => location.reload());
setTimeout(reloadIfReachable, RETRY_MILLISECONDS);
await applyChosenLanguage();
translateMarkedElements();
