/** The page of a season, by default the latest of the house; the id of a season of a group begins with the group's. */
import { leaveSeason, listGroupSeasons, listSeasons, readSeason } from "../../evening/evenings_api.js";
import { t } from "../../language/translate.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { season: wanted }, app) {
  await loadCss("/style/evening.css");
  app.title(t("seasons.season"));
  const group = /^([a-z2-7]{16})-/.exec(wanted ?? "")?.[1];
  const [{ seasons }, { makeSeason }] = await Promise.all([group ? listGroupSeasons(group) : listSeasons(), loadLater()]);
  const id = wanted ?? seasons[0]?.id;
  const season = id === undefined ? null : await readSeason(id);
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, group ? link(`/groups/${group}`, t("people.groups")) : link("/evenings", t("evenings.evenings"))),
    element("h1", {}, t("seasons.season")), element("p", { class: "fine" }, t("seasons.how"))),
  season ? makeSeason(season, app.player?.id, () => leaveSeason(season.id)) : element("p", {}, t("seasons.none")),
  seasons.length > 1 && element("section", { class: "panel" }, element("h2", {}, t("seasons.all")),
    element("ul", { class: "rows" }, seasons.map((one) => element("li", {}, link(`/season/${one.id}`, `${one.weeks[0]} – ${one.weeks[one.weeks.length - 1]}`))))));
}
