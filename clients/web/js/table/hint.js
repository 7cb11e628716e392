/**
 * The hint: a button that asks the server for a move that leads somewhere, and shows it on the table for a while.
 *
 * @import { Session } from "../game/session.js"
 */
import { outline, outlinedBy } from "../board/outlines.js";
import { moveWithCards } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, setGreyed } from "../ui/dom.js";

/** How long a hint is shown. The style sheet lets it fade in this time. */
const SHOWN_MILLISECONDS = 4000;

/**
 * @param {import("./table.js").Table} table
 * @param {(text: string, grave?: boolean) => void} say
 */
export function makeHint(table, say) {
  const node = button(t("hint.hint"), ask);
  node.title = t("hint.title");
  let hide = () => {};
  let timer = 0;

  async function ask() {
    if (table.commands.busy) return;
    try {
      const { game, session } = table;
      const answer = await table.connection.command({ type: "ask_for_hint", game, version: session.version });
      if (answer.type === "hint" && answer.version === table.session.version) showMove(answer.move, answer.keeps_win);
    } catch (refusal) {
      say(/** @type {import("../net/api.js").Refusal} */ (refusal).message, true);
    }
  }

  /**
   * Point at a legal move; without one, say that none was found.
   *
   * @param {string|undefined} text
   * @param {boolean} [keepsWin] whether a search found that the game can still be won after it
   */
  function showMove(text, keepsWin) {
    clear();
    const { piles, moves } = table.session;
    const move = moves.find((one) => one.text === text);
    if (!move || !piles) {
      say(t(table.session.canTakeBack ? "hint.none_take_back" : "hint.none"), true);
      return;
    }
    hide = outline(table.board, outlinedBy(move, (pile) => table.board.role(pile), Object.keys(piles)), "fading");
    timer = setTimeout(clear, SHOWN_MILLISECONDS);
    const words = keepsWin === undefined ? "hint.move" : keepsWin ? "hint.move_wins" : "hint.move_loses";
    say(t(words, { move: moveWithCards(move, piles) }), true);
  }

  function clear() {
    clearTimeout(timer);
    hide();
  }

  let version = 0;
  return {
    node,
    ask,
    showMove,
    clear,
    /** @param {Session} session */
    show(session) {
      if (session.version !== version) clear();
      version = session.version;
      // The server says why there is no hint here; so the button can be pressed all the same.
      setGreyed(node, !table.canPlay || !hasHints(session));
    },
  };
}

/** Whether a game is one with hints. @param {Session} session */
function hasHints({ game }) {
  return game !== null && !game.ranked && game.mode !== "race" && !game.competition;
}
