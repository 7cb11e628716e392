/**
 * The tool that begins another game from the table: the same cards again, or new ones. A game that counts, or is of an
 * evening or a puzzle, has none: there is only one attempt at it, or its cards are played again elsewhere.
 *
 * @import { App } from "../main.js"
 * @import { Session } from "../game/session.js"
 */
import { dealCasual } from "./begin_deal.js";
import { gameCounts, isOver } from "../game/session.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { playDeal, startPractice } from "../net/api.js";
import { chooseOne } from "../ui/dialogs.js";
import { button } from "../ui/dom.js";

/**
 * @param {App} app
 * @param {{session: () => Session, say: (text: string) => void}} around
 */
export function makeAgain(app, { session, say }) {
  const node = button("↻", choose, "button again");
  node.setAttribute("aria-label", t("again.again"));
  node.title = t("again.again");

  async function choose() {
    const goesOn = !isOver(session());
    const chosen = await chooseOne(t("again.question"), [
      t(goesOn ? "again.restart_giving_up" : "again.restart"), t("again.new_deal"), t("again.winnable_deal"),
    ]);
    if (chosen < 0) return;
    const winnable = chosen === 2;
    if (winnable) say(t("rules.searching"));
    try {
      await (chosen === 0 ? restart() : dealCasual(session().game?.rules ?? "", app, { winnable }));
    } catch (refusal) {
      say(refusalWords(refusal));
    }
  }

  /** Deal the same cards again. The game that goes on is given up first: only then its cards are no secret. */
  async function restart() {
    const { game, version } = session();
    if (!game) return;
    if (!isOver(session())) await app.connection.command({ type: "resign", game: game.id, version });
    const begun = game.day && game.slot && game.mode === "practice" ? await startPractice(game.day, game.slot) : await playDeal(game.deal);
    app.go(`/play/${begun.id}`);
  }

  return {
    node,
    /** @param {Session} now */
    show(now) {
      node.hidden = gameCounts(now) || Boolean(now.game?.competition);
    },
  };
}
