/** Keys that work anywhere on a page with a table. */

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
