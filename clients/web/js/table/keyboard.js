/** Keys that work anywhere on a page with a table. */

/** The key that takes back in most programs: Ctrl+Z, or Cmd+Z. */
export const UNDO = "Ctrl+Z";

/** @param {KeyboardEvent} event */
const isUndo = ({ key, altKey, shiftKey, ctrlKey, metaKey }) => key.toLowerCase() === "z" && !altKey && !shiftKey && ctrlKey !== metaKey;

/**
 * Listen to keys, except while a field has the focus or a dialog is open.
 * @param {Record<string, () => unknown>} actions by key
 * @returns {() => void} stops listening
 */
export function listenToKeys(actions) {
  /** @param {KeyboardEvent} event */
  function key(event) {
    const isHeld = event.altKey || event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || (isHeld && !isUndo(event))) return;
    if (event.target instanceof Element && event.target.closest("input, textarea, select")) return;
    if (document.querySelector("dialog[open]")) return;
    const action = actions[isHeld ? UNDO : event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
  addEventListener("keydown", key);
  return () => removeEventListener("keydown", key);
}
