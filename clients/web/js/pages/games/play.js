/** A game that the player plays alone, or against the recorded pace of another run. */
import { makeWinnable } from "../../analysis/winnable.js";
import { originLink } from "../../analysis/origin_link.js";
import { readEnding, showGameOver } from "../../ending/game_over.js";
import { t } from "../../language/translate.js";
import { readGame } from "../../net/api.js";
import { makeGhost } from "../../race/ghost.js";
import { makePlayerTable } from "../../table/player_table.js";
import { button, element, link } from "../../ui/dom.js";
import { loadLater } from "../../ui/load_later.js";
import { keepReceipt } from "../../watch/receipts/stored_receipts.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  const view = await readGame(game);
  if (view.game.race || view.sight !== "seat") {
    app.go(view.game.race ? `/race/${view.game.race}` : `/watch/${game}`, { replace: true });
    return undefined;
  }
  const raced = new URLSearchParams(location.search).get("ghost");
  const ghost = raced ? await makeGhost(raced).catch(() => null) : null;
  const { competition, about } = view.game;
  const evening = (competition === "evening" || competition === "virtual") && about ? (await loadLater()).makeEveningBand(about, competition, app) : null;
  /** @type {HTMLDialogElement|null} */
  let ending = null;
  let showResult = () => {};
  const result = button(t("ending.result"), () => showResult());
  const seat = await makePlayerTable(root, view, app, {
    title: evening?.title ?? heading(view.game),
    makeAid: makeWinnable,
    band: evening?.node ?? ghost?.node,
    warning: t("seat.resign_question"),
    result,
    changed: (session) => ghost?.show(session),
    ended(session) {
      const game = session.game ?? view.game;
      const known = readEnding(game, evening?.findNextDeal);
      keepReceipt(game.id, seat.rules.name);
      showResult = () => {
        ending = showGameOver(session, game, { app, rules: seat.rules, ending: known });
        ending.addEventListener("close", () => result.focus());
      };
      showResult();
    },
  });
  return () => {
    seat.close();
    ghost?.close();
    evening?.close();
    ending?.close();
  };
}

/** @param {import("wire").GameCard} game */
function heading(game) {
  if (game.competition === "puzzle") return link(`/puzzle/${game.about}`, t("puzzle.short"), "eyebrow");
  if (game.origin) return originLink(game.origin, "eyebrow origin");
  if (game.number) return element("span", { class: "eyebrow" }, t("seat.numbered", { number: String(game.number) }));
  if (!game.day) return element("span", { class: "eyebrow" }, t(game.winnable ? "seat.casual_winnable" : "seat.casual"));
  const challenge = game.ranked ? "seat.challenge" : "seat.challenge_unranked";
  return link(`/daily/${game.day}`, t(game.mode === "practice" ? "seat.practice" : challenge), "eyebrow");
}
