/** A dialog with every card of a pile side by side. Cards that lie face down stay hidden. */
import { makeCardPicture } from "../cards/card_picture.js";
import { cardWords, describePile, pileWords } from "../language/card_words.js";
import { capitalize } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, element } from "../ui/dom.js";

/**
 * @param {string} pile
 * @param {string[]} cards the bottom card first
 */
export function showPileDialog(pile, cards) {
  const spread = cards.map((card) => element("li", { "aria-label": cardWords(card) }, makeCardPicture(card, "medium", "top")));
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel look", "aria-label": describePile(pile, cards) },
    element("h2", {}, capitalize(pileWords(pile))),
    element("p", { class: "fine" }, cards.length ? t("piles.lowest_first", { count: cards.length }) : t("piles.no_cards")),
    element("ol", { class: "spread-out" }, spread),
    element("p", { class: "actions" }, button(t("common.close"), () => dialog.close(), "button primary")));
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
