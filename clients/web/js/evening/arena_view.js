/**
 * An arena on its pages: the standing with points and streaks, what is going on, and the runs of one player. It is part of `later.js`.
 *
 * @import { Arena, ArenaField, ArenaRow, ArenaSheet, EveningStanding, Player } from "wire"
 */
import { durationWords, rankWords, statusWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, element, fill, link } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

/** From so many wins in a row on, the next run counts double. */
const STREAK = 2;
/** The last runs of a player that a row shows. */
const SHOWN_RUNS = 8;

/** The points of a row, with "×2" while the next run counts double. @param {ArenaRow} row */
export function pointsWords({ points, streak = 0 }) {
  return streak >= STREAK ? `${points} ×2` : String(points);
}

/** The points of the last runs: "2 2 4"; a dash if there are none. @param {number[]} sheet */
export function sheetWords(sheet) {
  const last = sheet.slice(-SHOWN_RUNS).join(" ") || "–";
  return sheet.length > SHOWN_RUNS ? `… ${last}` : last;
}

/**
 * @param {EveningStanding} standing @param {Player|null} reader
 * @param {(player: string) => Promise<ArenaSheet>} readSheet
 */
export function makeArenaStanding(standing, reader, readSheet) {
  const fields = standing.arena ?? [];
  const make = (/** @type {ArenaField} */ field) => makeField(standing, field, reader, readSheet);
  return element("div", { class: "standing" }, fields.length ? fields.map(make) : element("p", { class: "fine" }, t("evenings.nobody_yet")),
    element("p", { class: "fine" }, t("evenings.arena_how")),
    standing.state === "provisional" ? element("p", { class: "fine" }, t("evenings.is_provisional")) : null,
    standing.corrected_arena ? element("details", {}, element("summary", {}, t("evenings.corrected")), standing.corrected_arena.map(make)) : null);
}

/** @param {EveningStanding} standing @param {ArenaField} field @param {Player|null} reader @param {(player: string) => Promise<ArenaSheet>} readSheet */
function makeField(standing, field, reader, readSheet) {
  const isNamed = (standing.arena ?? []).length > 1;
  return element("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": t("evenings.standing") },
    element("table", { class: "evening-table" }, isNamed ? element("caption", {}, t(`evenings.field_${field.field}`)) : null,
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, t("evenings.place")), element("th", { scope: "col" }, t("evenings.player")),
        element("th", { scope: "colgroup", colspan: "2" }, t("boards.head_points")))),
      element("tbody", {}, field.rows.map((row) => {
        const own = row.player.id === reader?.id;
        return element("tr", { class: own ? "own" : "" }, element("td", { class: "rank" }, rankWords(row.place)),
          element("th", { scope: "row" }, playerName(row.player, { own })), element("td", {}, element("strong", {}, pointsWords(row))),
          element("td", {}, button(sheetWords(row.sheet), () => showSheet(row.player, readSheet), "quiet share")));
      }))));
}

/** Show the runs of a player, each with its points. @param {Player} player @param {(player: string) => Promise<ArenaSheet>} readSheet */
async function showSheet(player, readSheet) {
  const list = element("div", {}, element("p", { class: "fine" }, t("shell.loading")));
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel share-dialog", "aria-labelledby": "sheet-title" },
    element("h2", { id: "sheet-title" }, playerName(player, { href: null })), list,
    element("p", { class: "actions" }, button(t("common.close"), () => dialog.close(), "button primary")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  const { runs } = await readSheet(player.id).catch(() => ({ runs: [] }));
  fill(list, element("ol", { class: "rows" }, runs.map((run) => element("li", {},
    element("span", {}, t("evenings.run", { status: statusWords(run.result), score: run.score, moves: t("common.moves", { count: run.moves }), time: durationWords(run.milliseconds) })),
    run.counts === false ? element("span", { class: "fine" }, t("evenings.not_counted")) : element("strong", {}, String(run.points ?? "–")),
    link(`/replay/${run.game}`, t("evenings.replay"))))));
}

/** The games of an arena, and how many runs there are. @param {Arena} arena @param {(slug: string) => string} nameOf */
export function makeArenaSummary(arena, nameOf) {
  return element("ul", { class: "rows rounds" }, arena.games.map((slug) => element("li", {}, link(`/games/${slug}`, nameOf(slug)))),
    element("li", {}, element("span", { class: "fine" }, t("evenings.runs", { playing: arena.playing ?? 0, finished: arena.finished ?? 0 }))));
}
