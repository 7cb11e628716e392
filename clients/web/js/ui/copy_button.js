/** Copying text to the clipboard, and a button that says when it is copied. */
import { t } from "../language/translate.js";
import { button } from "./dom.js";

/**
 * Copy a text. The answer says whether it is in the clipboard now.
 * @param {string} text
 * @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The old way to copy. On plain HTTP browsers offer no clipboard. @param {string} text */
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

/** A button that copies a text. @param {string} name @param {string} text */
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
