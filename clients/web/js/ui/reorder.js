/** Sorting the rows of a list again: each row glides to its new place, and a changed row is highlighted for a moment. */
import { keepFocus } from "./dom.js";
import { isMotionOff } from "./motion.js";

/**
 * Make these nodes the children of a parent. A node that is already there moves only if the order needs it, and the focus
 * stays.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} nodes
 */
export function reorder(parent, nodes) {
  const before = new Map([...parent.children].map((node) => [node, node.getBoundingClientRect()]));
  /** @type {Set<Element>} */
  const wanted = new Set(nodes);
  keepFocus(parent, () => {
    for (const node of before.keys()) if (!wanted.has(node)) node.remove();
    nodes.forEach((node, index) => {
      if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
    });
  });
  if (isMotionOff()) return;
  for (const node of nodes) {
    const from = before.get(node);
    if (!from) continue;
    const to = node.getBoundingClientRect();
    const [x, y] = [from.left - to.left, from.top - to.top];
    if (Math.hypot(x, y) > 1) node.animate({ translate: [`${x}px ${y}px`, "0 0"] }, { duration: 380, easing: "cubic-bezier(.22,.8,.3,1)" });
  }
}

/** Highlight a row and let it fade. @param {HTMLElement} node */
export function highlight(node) {
  if (isMotionOff()) return;
  const colours = ["color-mix(in srgb, var(--gold) 38%, transparent)", "transparent"];
  node.animate({ backgroundColor: colours }, { duration: 1800, easing: "ease-out" });
}
