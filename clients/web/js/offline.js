/** The page shown in place of every other while the server cannot be reached; it goes when the server answers again. */
import { speakAsChosen } from "./language/language_choice.js";
import { sayMarked } from "./shell.js";

/** How often the server is looked for, in milliseconds. */
const PATIENCE = 2000;

async function look() {
  const found = await fetch("/healthz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
  if (found) location.reload();
  else setTimeout(look, PATIENCE);
}

document.getElementById("again")?.addEventListener("click", () => location.reload());
setTimeout(look, PATIENCE);
await speakAsChosen();
sayMarked();
