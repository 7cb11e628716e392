/**
 * The band under the table that says that no move is left, and what can be done then. It stays as long as this is so.
 *
 * @import { Session } from "../game/session.js"
 */
import { scoreWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, element, fill } from "../ui/dom.js";

/** The time between the last move and the band, which makes the table smaller: the cards come to rest first. */
const PAUSE_MILLISECONDS = 700;

/**
 * @param {{maximum: number, takeBack: () => void, finish: () => void}} about the highest possible score, and what the buttons do
 */
export function makeDeadEnd({ maximum, takeBack, finish }) {
  const words = element("strong");
  const buttons = element("span", { class: "actions" }, button(t("seat.take_back"), takeBack), button(t("seat.finish_here"), finish));
  const node = element("div", { class: "dead-end", role: "status" });
  let isShown = false;
  let timer = 0;

  return {
    node,
    /** @param {Session} session @param {boolean} busy whether a command is not answered yet */
    show({ status, moves, score }, busy) {
      const wasShown = isShown;
      isShown = status === "stuck" && !busy;
      if (isShown === wasShown) return;
      clearTimeout(timer);
      words.textContent = t(moves.length ? "seat.dead_end_lost" : "seat.dead_end", { score: scoreWords(score, maximum) });
      if (isShown) timer = setTimeout(() => fill(node, words, buttons), PAUSE_MILLISECONDS);
      else fill(node);
    },
    close: () => clearTimeout(timer),
  };
}
