/**
 * A season: its divisions, the reader's own first, with who would rise and who would fall.
 *
 * @import { Season, SeasonDivision, SeasonRow } from "wire"
 */
import { listSeasons, readSeason } from "../../evening/evenings_api.js";
import { shareWords } from "../../evening/form_panel.js";
import { momentWords, rankWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { element, fill, link } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { season: wanted }, app) {
  app.title(t("seasons.season"));
  const { seasons } = await listSeasons();
  const id = wanted ?? seasons[0]?.id;
  const season = id === undefined ? null : await readSeason(id);
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link("/evenings", t("evenings.evenings"))),
    element("h1", {}, t("seasons.season")), element("p", { class: "fine" }, t("seasons.how"))),
  season ? makeSeason(season, app.player?.id) : element("p", {}, t("seasons.none")),
  seasons.length > 1 && element("section", { class: "panel" }, element("h2", {}, t("seasons.all")),
    element("ul", { class: "rows" }, seasons.map((one) => element("li", {}, link(`/season/${one.id}`, `${one.weeks[0]} – ${one.weeks[one.weeks.length - 1]}`))))));
}

/** @param {Season} season @param {string} [own] the reader's id */
function makeSeason(season, own) {
  const until = t(season.closed ? "seasons.closed" : "seasons.until", { when: momentWords(season.ends_at - 1) });
  return [element("p", {}, until),
    ...(season.divisions.length > 0 ? season.divisions.map((division) => makeDivision(division, own)) : [element("p", {}, t("seasons.nobody"))])];
}

/** @param {SeasonDivision} division @param {string} [own] */
function makeDivision({ division, rows }, own) {
  const title = t("seasons.division", { number: String(division) });
  const heads = [t("evenings.place"), t("evenings.player"), t("seasons.score"), t("seasons.sessions")];
  return element("section", { class: "panel" }, element("h2", {}, title),
    element("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": title },
      element("table", { class: "ranking" },
        element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
        element("tbody", {}, rows.map((row) => element("tr", { class: row.player.id === own ? "own" : "" },
          element("td", { class: "rank" }, rankWords(row.place)),
          element("th", { scope: "row" }, playerName(row.player, { own: row.player.id === own }), moveWords(row)),
          element("td", {}, shareWords(row.score)),
          element("td", {}, String(row.sessions))))))));
}

/** @param {SeasonRow} row */
function moveWords({ moves }) {
  if (!moves) return null;
  return element("small", { class: "fine" }, moves === "up" ? ` ↑ ${t("seasons.up")}` : ` ↓ ${t("seasons.down")}`);
}
