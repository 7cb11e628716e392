/** Looking through a pile: every card of it side by side. Nothing is shown here that does not lie face up. */
import { counted, describePile, pileWords } from "./cards.js";
import { button, element } from "./dom.js";
import { faceOf } from "./fan.js";

/**
 * @param {string} pile
 * @param {string[]} cards bottom first
 */
export function lookThrough(pile, cards) {
  const words = pileWords(pile);
  const dialog = element("dialog", { class: "panel look", "aria-label": describePile(pile, cards) },
    element("h2", {}, words[0].toUpperCase() + words.slice(1)),
    element("p", { class: "fine" }, cards.length ? `${counted(cards.length, "card")}, the lowest first.` : "No cards."),
    element("div", { class: "spread-out" }, cards.map((card) => faceOf(card, "medium", "top"))),
    element("p", { class: "actions" }, button("Close", () => dialog.close(), "button primary")));
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
