/**
 * The ratings of the server: people or bots, in evenings of all levels or of one.
 *
 * @import { RatingRow } from "wire"
 */
import { listRatings } from "../../evening/evenings_api.js";
import { rankWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { overWords } from "../../evening/form_panel.js";
import { element, fill, link } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";

const POOLS = /** @type {const} */ (["all", "gentle", "steady", "stern"]);

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("form.ratings"));
  const body = element("div");
  const pool = choice("ratings-of", POOLS.map((one) => [one, t(one === "all" ? "form.all_levels" : `evenings.level_${one}`)]));
  const kind = choice("ratings-kind", [["0", t("evenings.field_people")], ["1", t("evenings.field_bots")]]);
  const draw = async () => {
    const { players } = await listRatings(/** @type {import("../../evening/evenings_api.js").Pool} */ (pool.value), Number(kind.value));
    fill(body, players.length ? makeTable(players, app.player?.id) : element("p", { class: "fine" }, t("form.none")));
  };
  for (const one of [pool, kind]) one.addEventListener("change", draw);
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link("/evenings", t("evenings.evenings"))),
    element("h1", {}, t("form.ratings")), element("p", { class: "fine" }, t("form.how"))),
  element("section", { class: "panel" }, element("p", {}, labelled(t("evenings.level"), pool), " ", labelled(t("form.kind"), kind)), body));
  await draw();
}

/** @param {RatingRow[]} players @param {string} [own] the reader's id */
function makeTable(players, own) {
  const heads = [t("evenings.place"), t("evenings.player"), t("form.share"), t("form.rating_head")];
  return element("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": t("form.ratings") },
    element("table", { class: "ranking" },
      element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, players.map((row) => element("tr", { class: row.player.id === own ? "own" : "" },
        element("td", { class: "rank" }, rankWords(row.rank)),
        element("th", { scope: "row" }, playerName(row.player, { own: row.player.id === own })),
        element("td", {}, overWords(row)),
        element("td", {}, String(row.rating), row.provisional ? element("small", { class: "fine" }, ` ${t("form.provisional")}`) : null))))));
}

/** A choice on one line with its label, however narrow the page is. @param {string} words @param {HTMLSelectElement} select */
const labelled = (words, select) => element("span", { class: "labelled" }, element("label", { for: select.id }, words), " ", select);

/** @param {string} id @param {[string, string][]} options values and words */
function choice(id, options) {
  /** @type {HTMLSelectElement} */
  const made = element("select", { id }, options.map(([value, words]) => element("option", { value }, words)));
  return made;
}
