/**
 * What is printed of an evening: before its end a sheet for the notice board, afterwards a certificate for each of the first
 * places, of players and of teams. Every sheet is one page of A4.
 */
import { readEvening, readStanding } from "../../evening/evenings_api.js";
import { formatRulesNames } from "../../evening/round_names.js";
import { t } from "../../language/translate.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { evening: id }, app) {
  const [evening, standing, nameOf, { makeCertificates, makeNotice }] = await Promise.all([
    readEvening(id), readStanding(id), formatRulesNames(), loadLater(), loadCss("/style/print.css"),
  ]);
  app.title(evening.title);
  const sheets = evening.state === "final" ? makeCertificates(evening, standing) : [makeNotice(evening, nameOf)];
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link(`/evenings/${id}`, evening.title)),
    element("h1", {}, t(evening.state === "final" ? "evenings.certificates" : "evenings.notice")),
    element("p", { class: "actions" }, button(t("evenings.print"), () => window.print(), "button primary"))), ...sheets);
}
