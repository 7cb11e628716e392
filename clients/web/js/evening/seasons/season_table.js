/**
 * A season: its divisions, the reader's own first, with who would rise and who would fall.
 *
 * @import { Season, SeasonDivision, SeasonRow } from "wire"
 */
import { momentWords, rankWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { confirmAction } from "../../ui/dialogs.js";
import { button, element, fill } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";
import { shareWords } from "../form_panel.js";

/**
 * @param {Season} season
 * @param {string|undefined} own the reader's id
 * @param {() => Promise<Season>} leave lets the reader leave the season
 */
export function makeSeason(season, own, leave) {
  const place = element("div", { class: "stacked" });
  const problem = element("p", { class: "problem", role: "alert" });
  /** @param {Season} shown */
  const show = (shown) => {
    const until = t(shown.closed ? "seasons.closed" : "seasons.until", { when: momentWords(shown.ends_at - 1) });
    const row = shown.divisions.flatMap(({ rows }) => rows).find(({ player }) => player.id === own);
    fill(place, element("p", {}, until),
      ...(shown.divisions.length > 0 ? shown.divisions.map((division) => makeDivision(division, own)) : [element("p", {}, t("seasons.nobody"))]),
      problem, row && !row.left && !shown.closed && element("p", { class: "actions" }, button(t("seasons.leave"), ask, "quiet")));
  };
  const ask = async () => {
    if (!await confirmAction(t("seasons.leave_question"), t("seasons.leave"), t("common.no"))) return;
    try {
      show(await leave());
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  show(season);
  return place;
}

/** @param {SeasonDivision} division @param {string} [own] */
function makeDivision({ division, rows }, own) {
  const title = t("seasons.division", { number: String(division) });
  const heads = [t("evenings.place"), t("evenings.player"), t("seasons.score"), t("seasons.sessions")];
  return element("section", { class: "panel" }, element("h2", {}, title),
    element("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": title },
      element("table", { class: "evening-table" },
        element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
        element("tbody", {}, rows.map((row) => element("tr", { class: row.player.id === own ? "own" : "" },
          element("td", { class: "rank" }, rankWords(row.place)),
          element("th", { scope: "row" }, playerName(row.player, { own: row.player.id === own }), moveWords(row)),
          element("td", {}, shareWords(row.score)),
          element("td", {}, String(row.sessions))))))));
}

/** @param {SeasonRow} row */
function moveWords({ moves, left }) {
  if (left) return element("small", { class: "fine" }, ` ${t("seasons.left")}`);
  if (!moves) return null;
  return element("small", { class: "fine" }, moves === "up" ? ` ↑ ${t("seasons.up")}` : ` ↓ ${t("seasons.down")}`);
}
