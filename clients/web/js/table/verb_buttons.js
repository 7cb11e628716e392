/**
 * The game's verbs as buttons, and the question before a verb is spent that the game allows only a few times.
 *
 * @import { Session } from "../game/session.js"
 */
import { isLimited, usesLeft } from "../game/limited_verbs.js";
import { gameCounts } from "../game/session.js";
import { verbWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { setting } from "../settings/settings.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, fill, setGreyed } from "../ui/dom.js";

/**
 * Show the verbs that are legal now. A button highlights the piles that its verb names. When nothing can be dealt any more, the button
 * stays, greyed: whoever deals by pressing again and again would else press the one that moves into its place.
 * @param {HTMLElement} place
 * @param {Session} session
 * @param {import("./table.js").Table} table
 */
export function showVerbs(place, session, table) {
  const focused = document.activeElement?.textContent;
  const held = place.contains(document.activeElement);
  const verbs = session.moves.filter((move) => move.kind === "verb");
  const deal = [...place.querySelectorAll("button")].find(({ textContent }) => textContent === verbWords("deal"));
  if (deal && !verbs.length && table.canPlay) {
    setGreyed(deal, true);
    return;
  }
  fill(place, verbs.map(({ text, piles }) => {
    const made = button(verbLabel(text, session), () => made.getAttribute("aria-disabled") === "true" ? table.deal() : table.play(text), isLimited(text) ? "button" : "button verb");
    for (const event of ["pointerenter", "focus"]) made.addEventListener(event, () => table.board.highlightPiles(piles));
    for (const event of ["pointerleave", "blur", "click"]) made.addEventListener(event, () => table.board.highlightPiles([]));
    return made;
  }));
  if (held) [...place.querySelectorAll("button")].find(({ textContent }) => textContent === focused)?.focus();
}

/** A verb as on its button: "Deal", "Redeal (2 left)". @param {string} text @param {Session} session */
function verbLabel(text, { counters }) {
  const count = usesLeft(text, counters);
  return count === undefined ? verbWords(text) : t("moves.limited", { verb: verbWords(text), count });
}

/**
 * Whether a move may be played: where the game counts, the player is asked before a limited verb is spent.
 * @param {string} text of the move
 * @param {Session} session
 * @returns {true|Promise<boolean>}
 */
export function permitMove(text, session) {
  const { counters } = session;
  if (!gameCounts(session) || !isLimited(text) || !setting("ask")) return true;
  const verb = verbWords(text);
  const count = usesLeft(text, counters);
  return confirmAction(count === undefined ? t("seat.spend", { verb }) : t("seat.spend_counted", { verb, count }), verb);
}
