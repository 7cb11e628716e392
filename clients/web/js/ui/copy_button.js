/** Text into the clipboard, with a button that says when it is there. */
import { t } from "../language/translate.js";
import { button } from "./dom.js";

/** @param {string} text @returns {Promise<boolean>} whether it is there now */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Where the page was not loaded safely there is no clipboard, and this is the old way. @param {string} text */
function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "skip";
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}

/** A button that copies. @param {string} name @param {string} text */
export function copyButton(name, text, className = "button") {
  const made = button(name, async () => {
    made.textContent = (await copyText(text)) ? t("common.copied") : t("common.copy_by_hand");
    setTimeout(() => {
      made.textContent = name;
    }, 2500);
  }, className);
  made.setAttribute("aria-live", "polite");
  return made;
}
