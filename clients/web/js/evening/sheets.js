/**
 * The sheets of an evening, to print: one for the notice board, and certificates of players and of teams.
 *
 * @import { ArenaField, ArenaRow, Evening, EveningField, EveningRow, EveningStanding, TeamRow } from "wire"
 */
import { nameWords, rankWords } from "../language/format.js";
import { formatDate, t } from "../language/translate.js";
import { element } from "../ui/dom.js";
import { entryWords, shownWords } from "./evening_words.js";

/** The last place that has a certificate. */
const LAST_PLACE = 3;
/** Names of a team that fit on its certificate. */
const MAX_NAMES = 40;
const MINUTE = 60_000;

/** The sheet for the notice board. @param {Evening} evening @param {(slug: string) => string} nameOf the name of a game */
export function makeNotice(evening, nameOf) {
  const { id, code, title, rounds, arena } = evening;
  const first = arena ?? rounds[0];
  const minutes = Math.round((first.closes_at - first.opens_at) / MINUTE);
  return element("section", { class: "sheet notice" },
    element("h2", {}, title), element("p", { class: "when" }, dayWords(first.opens_at)), element("p", { class: "when" }, timeWords(first.opens_at)),
    element("p", {}, arena ? t("evenings.arena_of", { minutes }) : t("evenings.notice_rounds", { count: rounds.length, time: t("time.minutes", { minutes }) })),
    element("p", { class: "games" }, [...new Set((arena?.games ?? rounds.map(({ game }) => game)).map(nameOf))].join(" · ")),
    element("img", { class: "qr", src: `/evenings/${id}/code.svg`, alt: t("evenings.qr", { code }), width: 360, height: 360 }),
    element("p", { class: "code" }, code),
    element("p", {}, entryWords(evening)));
}

/** The certificates of the first places: of the players of each field, then of the teams. @param {Evening} evening @param {EveningStanding} standing */
export function makeCertificates(evening, standing) {
  const fields = standing.corrected_arena ?? standing.arena ?? standing.corrected ?? standing.fields;
  const teams = standing.corrected_teams ?? standing.teams ?? [];
  return [...fields.flatMap((field) => firstOf(/** @type {(EveningRow|ArenaRow)[]} */ (field.rows)).map((row) => makeForPlayer(evening, row, field))),
    ...firstOf(teams).map((row) => makeForTeam(evening, row, teams.length, fields))];
}

/** @template {{place: number}} Row @param {Row[]} rows */
const firstOf = (rows) => rows.filter(({ place }) => place <= LAST_PLACE);

/** @param {Evening} evening @param {EveningRow|ArenaRow} row @param {EveningField|ArenaField} field */
function makeForPlayer(evening, row, { field, rows }) {
  const { rounds, arena } = evening;
  return makeCertificate(evening, nameWords(row.player), row.place, rows.length, [
    field === "bots" ? t("evenings.field_bots") : "",
    arena ? `${t("boards.head_points")}: ${/** @type {ArenaRow} */ (row).points}`
      : shareWords(evening, /** @type {EveningRow} */ (row).shown, rounds.length),
  ]);
}

/** With the names of those who are in the standing. @param {Evening} evening @param {TeamRow} row @param {number} count @param {(EveningField|ArenaField)[]} fields */
function makeForTeam(evening, row, count, fields) {
  const counted = new Set(fields.filter(({ field }) => field !== "bots").flatMap(({ rows }) => rows.map(({ player }) => player.id)));
  const names = evening.entrants.filter(({ player, team }) => team === row.team && counted.has(player.id)).map(({ player }) => nameWords(player));
  const more = names.length > MAX_NAMES ? [`+${names.length - MAX_NAMES}`] : [];
  const played = evening.rounds.filter(({ stage }) => stage === "first").length;
  return makeCertificate(evening, row.name, row.place, count, [
    [...names.slice(0, MAX_NAMES), ...more].join(" · "), shareWords(evening, row.shown, played),
  ]);
}

/** A total; those that are not places are in per cent. @param {Evening} evening @param {string} shown @param {number} count of rounds */
function shareWords({ scoring }, shown, count) {
  return t("evenings.certificate_share", { share: scoring === "places" ? shownWords(shown) : `${shownWords(shown)}\u00a0%`, count });
}

/** @param {Evening} evening @param {string} name whose it is @param {number} place @param {number} count @param {string[]} lines */
function makeCertificate({ title, leader, rounds, arena, digest }, name, place, count, lines) {
  return element("section", { class: "sheet certificate" },
    element("p", { class: "certificate-kind" }, t("evenings.certificate")), element("h2", {}, name),
    element("p", { class: "certificate-place" }, t("evenings.certificate_place", { place: rankWords(place), count })),
    lines.slice(0, -1).filter(Boolean).map((line) => element("p", {}, line)),
    element("p", { class: "certificate-title" }, title), element("p", {}, dayWords((arena ?? rounds[0]).opens_at)),
    element("p", {}, lines[lines.length - 1]),
    element("p", { class: "certificate-signed" }, nameWords(leader)),
    element("p", { class: "certificate-digest" }, location.host, digest ? ` · ${digest}` : ""));
}

/** @param {number} moment */
function dayWords(moment) {
  return formatDate(moment, { weekday: "long", day: "numeric", month: "long", year: "numeric" });
}

/** The time on the reader's clock, with the name of its zone. @param {number} moment */
function timeWords(moment) {
  return formatDate(moment, { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
}
