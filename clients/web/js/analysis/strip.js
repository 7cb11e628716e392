/**
 * A strip with a piece for each step of a game, coloured and patterned by its verdict, and a marker at the move that lost.
 *
 * @import { Analysis } from "wire"
 * @import { Step } from "./verdicts.js"
 */
import { t } from "../language/translate.js";
import { button, element, fill, keepFocus } from "../ui/dom.js";
import { findings, stepVerdicts, stretches } from "./verdicts.js";

/** With more steps than this the pieces of a strip are not told apart by lines. */
const MAX_LINED = 120;

/**
 * @param {Step[]} steps
 * @param {(index: number) => void} go goes to a step
 * @returns {{node: HTMLElement, show: (analysis: Analysis, words: string) => void, point: (index: number) => void}} `words` say in
 *   text what the strip shows; `point` marks a step
 */
export function makeStrip(steps, go) {
  const now = element("i", { class: "now" });
  const pieces = element("div", { class: "pieces" });
  const bar = element("div", { class: "verdicts", role: "img", on: {
    pointerdown: drag, pointermove: (event) => event.buttons && drag(event),
  } }, pieces, now);
  const marker = element("div", { class: "marker" });
  const legend = element("p", { class: "fine keys" });
  bar.style.setProperty("--steps", String(steps.length));
  bar.classList.toggle("lined", steps.length <= MAX_LINED);

  /** @param {PointerEvent} event */
  function drag(event) {
    const box = bar.getBoundingClientRect();
    const place = Math.floor((steps.length * (event.clientX - box.left)) / box.width);
    go(Math.max(0, Math.min(steps.length - 1, place)));
  }

  return {
    node: element("div", { class: "verdict-strip" }, marker, bar, legend),
    show(analysis, words) {
      const verdicts = stepVerdicts(analysis, steps);
      const { loss, takenBack } = findings(analysis, steps);
      const losses = [...takenBack, ...(loss === null ? [] : [loss])];
      bar.setAttribute("aria-label", words);
      fill(pieces, stretches(verdicts).map(({ verdict, count }) => {
        const piece = element("span", { class: `verdict ${verdict ?? "none"}` });
        piece.style.flexGrow = String(count);
        return piece;
      }), losses.map((step) => putAt(element("i", { class: "loss" }), (step + 0.5) / steps.length)));
      keepFocus(marker, () => fill(marker, loss !== null
        && putAt(button(t("analysis.lost_here", { move: loss }), () => go(loss), "button small"), (loss + 0.5) / steps.length)));
      fill(legend, ["won", "lost", "unknown", "none"].filter((kind) => verdicts.some((verdict) => (verdict ?? "none") === kind))
        .map((kind) => element("span", { class: "key" }, element("i", { class: `verdict ${kind}` }), t(`analysis.key_${kind}`))));
    },
    point(index) {
      putAt(now, (index + 0.5) / steps.length);
    },
  };
}

/** Put an element at this share of the strip's width. @param {HTMLElement} node @param {number} share from 0 to 1 */
function putAt(node, share) {
  node.style.setProperty("--place", `${100 * share}%`);
  return node;
}
