/** The page of a season, by default the latest of the server; the id of a season of a group begins with the group's. */
import { leaveSeason, listGroupSeasons, listSeasons, readSeason } from "../../evening/evenings_api.js";
import { dayWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { listGroups } from "../../net/api.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { season: wanted }, app) {
  await loadCss("/style/evening.css");
  app.title(t("seasons.season"));
  const group = /^([a-z2-7]{16})-/.exec(wanted ?? "")?.[1];
  const [{ seasons }, { makeSeason }, groups] = await Promise.all([group ? listGroupSeasons(group) : listSeasons(), loadLater(), group ? listGroups() : null]);
  const shown = groups?.find((one) => one.id === group);
  const id = wanted ?? seasons[0]?.id;
  const season = id === undefined ? null : await readSeason(id);
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, shown ? link(`/groups/${shown.id}`, shown.name) : link("/evenings", t("evenings.evenings"))),
    element("h1", {}, t("seasons.season")), element("p", { class: "fine" }, t("seasons.how"))),
  season ? makeSeason(season, app.player?.id, () => leaveSeason(season.id)) : element("p", {}, t("seasons.none")),
  seasons.length > 1 && element("section", { class: "panel" }, element("h2", {}, t("seasons.all")),
    element("ul", { class: "rows" }, seasons.map((one) => element("li", {}, link(`/season/${one.id}`, `${dayOf(one.begins_at)} – ${dayOf(one.ends_at - 1)}`))))));
}

/** The day of a moment in UTC, by which seasons begin and end. @param {number} moment */
const dayOf = (moment) => dayWords(new Date(moment).toISOString().slice(0, 10));
