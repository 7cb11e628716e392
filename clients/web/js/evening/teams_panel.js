/**
 * The teams of an evening: their standing, the team of each entrant, and the fields to choose one.
 *
 * @import { Evening, EveningEntrant, EveningTeams, TeamRow } from "wire"
 */
import { rankWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { assignTeam } from "./evenings_api.js";
import { element } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { nobodyWords, shownWords } from "./evening_words.js";

/** The standing of the teams; nothing without one. @param {TeamRow[]|undefined} rows */
export function makeTeamTable(rows) {
  if (!rows?.length) return null;
  const heads = ["evenings.place", "evenings.team", "evenings.total"].map((key) => element("th", { scope: "col" }, t(key)));
  return element("section", {}, element("h3", {}, t("evenings.teams")), element("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": t("evenings.teams") },
    element("table", { class: "evening-table" }, element("thead", {}, element("tr", {}, heads)),
      element("tbody", {}, rows.map((row) => element("tr", {}, element("td", { class: "rank" }, rankWords(row.place)), element("th", { scope: "row" }, row.name,
        element("small", { class: "reason" }, t("evenings.members", { count: row.members }))), element("td", {}, element("strong", {}, shownWords(row.shown)))))))));
}

/** A field to choose a team, or none. @param {EveningTeams} teams @param {string} [chosen] @param {string} [id] */
export function makeTeamChoice({ teams }, chosen = "", id = "team") {
  return element("select", { id }, [["", t("evenings.no_team")], ...teams.map(({ id: team, name }) => [team, name])]
    .map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
}

/**
 * The entrants, each with the team; the leader and the entrant change it until a deal is opened.
 * @param {Evening} evening @param {string|undefined} reader the id of the reader @param {(evening: Evening) => void} changed called with the evening after a change
 */
export function makeEntrants(evening, reader, changed) {
  const problem = element("p", { class: "problem", role: "alert" });
  if (!evening.entrants.length) return element("p", {}, nobodyWords(evening));
  return element("div", {}, element("ul", { class: "rows" }, evening.entrants.map((one) => element("li", { class: one.left ? "awaited" : "" },
    playerName(one.player, { own: one.player.id === reader }), one.left ? element("span", { class: "fine" }, t("evenings.has_left")) : null,
    evening.teams ? makeTeam(evening, evening.teams, one, reader, changed, problem) : null))), problem);
}

/**
 * @param {Evening} evening @param {EveningTeams} teams @param {EveningEntrant} entrant @param {string|undefined} reader
 * @param {(evening: Evening) => void} changed @param {HTMLElement} problem
 */
function makeTeam(evening, teams, entrant, reader, changed, problem) {
  const { player, team } = entrant;
  const isOver = ["provisional", "final", "void"].includes(evening.state);
  const isOwn = player.id === reader;
  if (isOver || entrant.is_team_fixed || !(isOwn || evening.may_lead)) {
    return element("span", { class: "fine" }, teams.teams.find(({ id }) => id === team)?.name ?? "");
  }
  const choice = makeTeamChoice(teams, team, `team-of-${player.id}`);
  choice.setAttribute("aria-label", t("evenings.team_of", { player: player.name }));
  choice.addEventListener("change", () => {
    problem.textContent = "";
    assignTeam(evening.id, player.id, choice.value || undefined).then(changed).catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  });
  return choice;
}
