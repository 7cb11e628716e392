/** Keys that work anywhere on a page with a table, and the dialog that lists all keys. */
import { t } from "../language/translate.js";
import { button, element } from "../ui/dom.js";

/** Every key with the name of its text, in the order of the list. */
const LIST = [
  ["Tab ← ↑ → ↓", "move"], ["Enter", "pick"], ["1 – 9", "count"], ["F", "best"], ["L", "look"], ["I", "tell"], ["Esc", "let_go"],
  ["D", "deal"], ["U", "take_back"], ["+ − 0", "zoom"], ["?", "help"],
];

/**
 * Listen to keys, except while a field has the focus or a dialog is open.
 * @param {Record<string, () => unknown>} actions by key
 * @returns {() => void} stops listening
 */
export function listenToKeys(actions) {
  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
    if (document.querySelector("dialog[open]")) return;
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  addEventListener("keydown", key);
  return () => removeEventListener("keydown", key);
}

/** Show the dialog with all keys and gestures. */
export function showKeyboardHelp() {
  const row = (/** @type {string[]} */ [keys, name]) =>
    element("div", {}, element("dt", {}, element("kbd", {}, keys)), element("dd", {}, t(`seat.key_${name}`)));
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel keys", "aria-labelledby": "keys-title" },
    element("h2", { id: "keys-title" }, t("seat.keys_title")),
    element("p", { class: "fine" }, t("seat.keys_hands")),
    element("dl", {}, LIST.map(row)),
    element("p", { class: "actions" }, button(t("common.close"), () => dialog.close(), "button primary")));
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
