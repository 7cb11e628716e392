/**
 * Motion: cards glide from where they are to where they belong. No animation waits for another one, and no move for an
 * animation.
 */
import { setting } from "../settings/settings.js";

/** How much shorter every animation is with the setting "quick". */
const QUICK_FACTOR = 0.45;

/** Whether there is no motion: by the reader's setting, or because the reader's system asks for reduced motion. */
export function isMotionOff() {
  return setting("motion") === "off";
}

/** A duration in milliseconds, shorter with the setting "quick". @param {number} time */
export function scaledDuration(time) {
  return setting("motion") === "quick" ? time * QUICK_FACTOR : time;
}

/** Glides last a multiple of this, so that many of them end in the same frame. */
const DURATION_STEP_MILLISECONDS = 60;

/**
 * How long a glide over a distance in pixels takes. Long ways take only a little longer than short ones.
 * @param {number} distance
 */
function glideMilliseconds(distance) {
  return scaledDuration(Math.round(Math.min(320, 130 + distance * 0.3) / DURATION_STEP_MILLISECONDS) * DURATION_STEP_MILLISECONDS);
}

/** The last glide of each node. @type {WeakMap<HTMLElement, Animation>} */
const lastGlides = new WeakMap();

/**
 * Let a node that is already at its new place glide there from its old place. An earlier glide of the node ends: it might take
 * longer, and the node would then be seen on its way to a place that is out of date.
 * @param {HTMLElement} node
 * @param {{x: number, y: number}} from
 * @param {{x: number, y: number}} to
 * @param {number} [delay] milliseconds
 * @returns {Animation|null}
 */
export function glide(node, from, to, delay = 0) {
  lastGlides.get(node)?.cancel();
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  if (isMotionOff() || distance < 1) return null;
  const run = node.animate(
    { translate: [`${from.x}px ${from.y}px`, `${to.x}px ${to.y}px`] },
    { duration: glideMilliseconds(distance), delay, fill: "backwards", easing: "cubic-bezier(.22,.8,.3,1)" },
  );
  lastGlides.set(node, run);
  return run;
}

/** Turn a card over: the new face opens from its middle. @param {Element} face */
export function flip(face) {
  if (!isMotionOff()) face.animate({ transform: ["scaleX(0)", "scaleX(1)"] }, { duration: scaledDuration(190), easing: "ease-out" });
}

/** Shake a node: the move is not possible. @param {Element} node */
export function shake(node) {
  if (isMotionOff()) return;
  node.animate({ marginLeft: ["0", "-5px", "5px", "-3px", "0"] }, { duration: 220, easing: "ease-in-out" });
}

/** Where a node is seen at this moment, even in the middle of a glide. @param {HTMLElement} node */
export function currentPosition(node) {
  const [x = "0", y = "0"] = getComputedStyle(node).translate.split(" ");
  return { x: parseFloat(x) || 0, y: parseFloat(y) || 0 };
}
