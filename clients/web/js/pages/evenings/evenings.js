/**
 * The evenings: what is on, what comes, what was; a field for a code; and the form for who may make one.
 *
 * @import { EveningCalendar, EveningCard } from "wire"
 */
import { nameWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { formatDate, t } from "../../language/translate.js";
import { listGroups } from "../../net/api.js";
import { findEvening, listEvenings } from "../../evening/evenings_api.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

const RELOAD_MILLISECONDS = 15000;

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  await loadCss("/style/evening.css");
  app.title(t("evenings.evenings"));
  const lists = element("div", { class: "panel" });
  const [first, later] = await Promise.all([listEvenings(), loadLater()]);
  const groups = first.may_make && app.player ? (await listGroups()).filter(({ owner }) => owner === app.player?.id) : [];
  const opponent = new URLSearchParams(location.search).get("play") ?? "";
  const matches = later.makeMatchPanel(app, opponent);
  const code = element("input", { id: "evening-code", class: "code", maxlength: 12, required: true, autocomplete: "off", autocapitalize: "characters", spellcheck: false });
  const problem = element("p", { class: "problem", role: "alert" });
  const enter = element("form", { class: "panel form", on: {
    submit: (event) => {
      event.preventDefault();
      const wanted = code.value.replace(/\s/g, "").toUpperCase();
      findEvening(wanted).then(() => app.go(`/e/${wanted}`), (refusal) => {
        problem.textContent = refusalWords(refusal);
      });
    },
  } }, element("label", { for: code.id }, t("evenings.have_code")), code, problem, element("button", { class: "button" }, t("evenings.enter")));
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("evenings.evenings")), element("p", { class: "fine" }, t("evenings.how"), " ", link("/ratings", t("form.ratings")), " ", link("/season", t("seasons.season")))),
    element("div", { class: "pair" }, element("div", { class: "stacked" }, lists, makeCalendars(first.calendars ?? [])), element("div", { class: "stacked" }, matches.node, enter, first.may_make ? later.makeEveningForm(app, groups, first.may_make_for_all ?? false) : null)));
  if (opponent) matches.node.querySelector("form")?.scrollIntoView({ block: "center" });
  let known = "";
  /** @param {EveningCard[]} evenings */
  const draw = (evenings) => {
    const seen = JSON.stringify(evenings);
    if (seen === known) return;
    known = seen;
    const of = (/** @type {string[]} */ ...states) => evenings.filter(({ state }) => states.includes(state));
    fill(lists, section(t("evenings.on"), of("on")), section(t("evenings.coming"), of("coming")), section(t("evenings.past"), of("over", "void")),
      evenings.length ? null : element("p", { class: "fine" }, t("evenings.none")));
  };
  draw(first.evenings);
  const timer = setInterval(() => listEvenings().then(({ evenings }) => draw(evenings)).catch(() => {}), RELOAD_MILLISECONDS);
  return () => {
    clearInterval(timer);
    matches.close();
  };
}

/** A moment on the reader's clock, with the name of its zone. @param {number} moment */
function timeWords(moment) {
  return formatDate(moment, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });
}

/** Where a calendar or a feed reader finds the evenings. @param {EveningCalendar[]} calendars */
function makeCalendars(calendars) {
  return element("section", { class: "panel" }, element("h2", {}, t("evenings.calendars")), element("ul", { class: "rows" }, calendars.map(({ path, name }) =>
    element("li", {}, element("span", {}, name ?? t("evenings.of_the_house")), element("span", {},
      element("a", { href: `${path}.ics`, download: "cadogan-evenings.ics" }, "iCalendar"), " · ", element("a", { href: `${path}.atom`, target: "_blank" }, "Atom"))))));
}

/** @param {string} title @param {EveningCard[]} evenings */
function section(title, evenings) {
  if (!evenings.length) return null;
  return element("section", {}, element("h2", {}, title), element("ul", { class: "rows" }, evenings.map((one) => element("li", {},
    link(`/evenings/${one.id}`, one.title), element("span", { class: "fine" }, `${timeWords(one.starts_at)} · ${nameWords(one.leader)}`)))));
}
