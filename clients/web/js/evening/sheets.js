/**
 * The sheets of an evening, to print: one for the notice board, and certificates.
 *
 * @import { ArenaField, ArenaRow, Evening, EveningField, EveningRow } from "wire"
 */
import { nameWords, rankWords } from "../language/format.js";
import { formatDate, t } from "../language/translate.js";
import { element } from "../ui/dom.js";

/** The last place that has a certificate. */
const LAST_PLACE = 3;
const MINUTE = 60_000;

/** The sheet for the notice board. @param {Evening} evening @param {(slug: string) => string} nameOf the name of a game */
export function makeNotice({ id, code, title, rounds, arena }, nameOf) {
  const first = arena ?? rounds[0];
  const minutes = Math.round((first.closes_at - first.opens_at) / MINUTE);
  return element("section", { class: "sheet notice" },
    element("h2", {}, title), element("p", { class: "when" }, dayWords(first.opens_at)), element("p", { class: "when" }, timeWords(first.opens_at)),
    element("p", {}, arena ? t("evenings.arena_of", { minutes }) : t("evenings.notice_rounds", { count: rounds.length, time: t("time.minutes", { minutes }) })),
    element("p", { class: "games" }, [...new Set((arena?.games ?? rounds.map(({ game }) => game)).map(nameOf))].join(" · ")),
    element("img", { class: "qr", src: `/evenings/${id}/code.svg`, alt: t("evenings.qr", { code }), width: 360, height: 360 }),
    element("p", { class: "code" }, code),
    element("p", {}, t("evenings.notice_how", { address: `${location.host}/e/${code}` })));
}

/** The certificates of the first places of a field. @param {Evening} evening @param {EveningField|ArenaField} field */
export function makeCertificates(evening, { field, rows }) {
  const best = [...rows].filter(({ place }) => place <= LAST_PLACE);
  return best.map((row) => makeCertificate(evening, row, field, rows.length));
}

/** @param {Evening} evening @param {EveningRow|ArenaRow} row @param {EveningField["field"]} field @param {number} count */
function makeCertificate({ title, leader, rounds, arena, digest }, row, field, count) {
  return element("section", { class: "sheet certificate" },
    element("p", { class: "certificate-kind" }, t("evenings.certificate")), element("h2", {}, nameWords(row.player)),
    element("p", { class: "certificate-place" }, t("evenings.certificate_place", { place: rankWords(row.place), count })),
    field === "bots" ? element("p", {}, t("evenings.field_bots")) : null,
    element("p", { class: "certificate-title" }, title), element("p", {}, dayWords((arena ?? rounds[0]).opens_at)),
    element("p", {}, arena ? `${t("boards.head_points")}: ${/** @type {ArenaRow} */ (row).points}`
      : t("evenings.certificate_share", { share: /** @type {EveningRow} */ (row).shown, count: rounds.length })),
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
