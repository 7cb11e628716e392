/** Motion: cards glide from where they are to where they belong. No card waits for another, and no move for a card. */

const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** Whether the reader's system asks for no motion. */
export function isStill() {
  return still?.matches ?? false;
}

/** How long a glide over so many pixels takes: short ways are quick, long ones not much slower. */
function duration(distance) {
  return Math.min(320, 130 + distance * 0.3);
}

/**
 * Let a node that already stands at its new place appear to come from an old one.
 * @param {HTMLElement} node
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {number} [delay] milliseconds
 * @returns {Animation|null}
 */
export function glide(node, from, to, delay = 0) {
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  if (isStill() || distance < 1) return null;
  return node.animate(
    { translate: [`${from.x}px ${from.y}px`, `${to.x}px ${to.y}px`] },
    { duration: duration(distance), delay, fill: "backwards", easing: "cubic-bezier(.22,.8,.3,1)" },
  );
}

/** Turn a card over: the new face opens from its middle. @param {Element} face */
export function flip(face) {
  if (!isStill()) face.animate({ transform: ["scaleX(0)", "scaleX(1)"] }, { duration: 190, easing: "ease-out" });
}

/** A short shake of the head. @param {Element} node */
export function shake(node) {
  if (isStill()) return;
  node.animate({ marginLeft: ["0", "-5px", "5px", "-3px", "0"] }, { duration: 220, easing: "ease-in-out" });
}

/** Where a node is seen at this moment, in the middle of a glide too. @param {HTMLElement} node */
export function seenAt(node) {
  const [x = "0", y = "0"] = getComputedStyle(node).translate.split(" ");
  return { x: parseFloat(x) || 0, y: parseFloat(y) || 0 };
}
