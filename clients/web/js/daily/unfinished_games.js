/**
 * One's own games that can be continued, as a list with a button for each.
 *
 * @import { UnfinishedGame } from "wire"
 */
import { isOfEvening } from "../game/session.js";
import { momentWords, scoreWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { element, link } from "../ui/dom.js";

/** At most so many games are shown, where a page does not say otherwise; the rest is one press away. */
const MAX_SHOWN = 3;

/**
 * @param {UnfinishedGame[]} games the one played last first
 * @param {(slug: string) => string} nameOf the name of a game
 * @param {number} [maxShown]
 * @returns {HTMLElement|null} null if there are none
 */
export function makeUnfinishedGames(games, nameOf, maxShown = MAX_SHOWN) {
  if (!games.length) return null;
  const rows = games.map((game, index) => makeRow(game, nameOf(game.rules), index === 0));
  const more = rows.slice(maxShown);
  return element("section", { class: "panel continue", "aria-labelledby": "continue-title" },
    element("h2", { id: "continue-title" }, t("unfinished.title")),
    element("ul", { class: "rows" }, rows.slice(0, maxShown)),
    more.length > 0 && element("details", {}, element("summary", {}, t("unfinished.more", { count: more.length })),
      element("ul", { class: "rows" }, more)));
}

/** @param {UnfinishedGame} game @param {string} name @param {boolean} first */
function makeRow(game, name, first) {
  const go = link(game.race ? `/race/${game.race}` : `/play/${game.game}`, t("unfinished.continue"), first ? "button primary" : "button");
  go.setAttribute("aria-label", t("unfinished.continue_game", { game: name }));
  const figures = t("unfinished.figures", {
    kind: t(isOfEvening(game) ? "evenings.evening" : `unfinished.kind_${game.mode}`), score: scoreWords(game.score, game.maximum), moment: momentWords(game.changed_at),
  });
  return element("li", {}, element("span", {}, element("strong", {}, name), " ", element("small", {}, figures)), go);
}
