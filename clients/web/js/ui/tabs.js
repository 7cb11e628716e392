/** Rows of choices: links to related pages, and buttons that change a part of one page. */
import { element } from "./dom.js";

/**
 * @param {string} label
 * @param {{text: string, href: string, current?: boolean}[]} choices
 */
export function makeTabs(label, choices) {
  return element("nav", { class: "tabs", "aria-label": label }, choices.map(({ text, href, current }) =>
    element("a", { href, "aria-current": current && "page" }, text)));
}

/**
 * @template T
 * @param {string} label
 * @param {{text: string, value: T}[]} choices
 * @param {T} chosen
 * @param {(value: T) => void} pick
 */
export function makeChoices(label, choices, chosen, pick) {
  const buttons = choices.map(({ text, value }) => element("button", {
    type: "button", "aria-pressed": String(value === chosen), on: { click: () => choose(value) },
  }, text));
  /** @param {T} value */
  function choose(value) {
    buttons.forEach((made, index) => made.setAttribute("aria-pressed", String(choices[index].value === value)));
    pick(value);
  }
  return element("div", { class: "tabs", role: "group", "aria-label": label }, buttons);
}
