/**
 * The list of open races, and a form that opens a new one.
 *
 * @import { RulesCard } from "wire"
 * @import { App } from "../../main.js"
 */
import { nameWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { listRaces, listRules, openRace } from "../../net/api.js";
import { randomNonce } from "../../net/random_nonce.js";
import { makeReturnLink } from "../../race/race_return.js";
import { timeLimitWords } from "../../race/race_state.js";
import { element, fill, link, oneAtATime } from "../../ui/dom.js";

/** The time between two requests of the list. */
const RELOAD_MILLISECONDS = 5000;
const RACER_COUNTS = [2, 3, 4, 6, 8, 12, 16];
const TIME_LIMITS_MINUTES = [2, 3, 5, 10, 15, 20, 30, 60];
const COUNTDOWNS_SECONDS = [3, 5, 10, 30];

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("races.races"));
  const rules = await listRules();
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const list = element("ul", { class: "rows races", "aria-live": "polite" });
  const none = element("p", { class: "fine" }, t("races.none"));
  fill(root, makeReturnLink(app),
    element("header", { class: "heading" }, element("h1", {}, t("races.races")),
      element("p", { class: "fine" }, t("races.how"), " ", link("/evenings", t("evenings.evenings")))),
    element("div", { class: "pair" },
      element("section", { class: "panel" }, element("h2", {}, t("races.open_races")), none, list),
      raceForm(rules, app)));

  let known = "";
  async function load() {
    const races = await listRaces();
    const seen = JSON.stringify(races.map(({ race, racers }) => [race, racers.length]));
    if (seen === known) return;
    known = seen;
    none.hidden = races.length > 0;
    fill(list, races.map((race) => element("li", {},
      link(`/race/${race.race}`, names.get(race.rules) ?? race.rules),
      element("span", {}, race.racers.map(({ player }) => nameWords(player)).join(", ")),
      element("span", { class: "fine" }, t("races.filled", {
        count: race.racers.length, people: t("races.people", { count: race.size }), time: timeLimitWords(race.seconds),
      })))));
  }
  await load();
  const timer = setInterval(() => load().catch(() => {}), RELOAD_MILLISECONDS);
  return () => clearInterval(timer);
}

/** @param {RulesCard[]} rules @param {App} app */
function raceForm(rules, app) {
  const usual = rules.find(({ slug }) => slug === "klondike") ?? rules[0];
  const game = choice("race-game", rules.map(({ slug, name }) => [slug, name]), usual.slug);
  const size = choice("race-size", RACER_COUNTS.map((many) => [many, t("races.people", { count: many })]), 4);
  const time = choice("race-time", TIME_LIMITS_MINUTES.map((minutes) => [minutes * 60, timeLimitWords(minutes * 60)]), 600);
  const countdown = choice("race-countdown", COUNTDOWNS_SECONDS.map((seconds) => [seconds, timeLimitWords(seconds)]), 5);
  const open = element("input", { type: "checkbox", id: "race-open", checked: true });
  const problem = element("p", { class: "problem", role: "alert" });
  const make = oneAtATime(async () => {
    await app.ensurePlayer();
    const race = await openRace({
      rules: game.value, nonce: randomNonce(), size: Number(size.value), seconds: Number(time.value),
      countdown: Number(countdown.value), open: open.checked,
    });
    app.go(`/race/${race.race}`);
  });
  return element("form", { class: "panel form grid", on: {
    submit: (event) => {
      event.preventDefault();
      make()?.catch((refusal) => {
        problem.textContent = refusalWords(refusal);
      });
    },
  } }, element("h2", {}, t("races.make")),
  labelled(t("races.game"), game), labelled(t("races.at_most"), size),
  labelled(t("races.time"), time), labelled(t("races.countdown"), countdown),
  element("p", { class: "check" }, open, element("label", { for: open.id }, t("races.open"))),
  problem, element("button", { class: "button primary" }, t("races.make_it")));
}

/** @param {string} words @param {HTMLElement} field */
function labelled(words, field) {
  return element("p", {}, element("label", { for: field.id }, words), field);
}

/** @template {string|number} T @param {string} id @param {[value: T, words: string][]} options @param {T} chosen */
function choice(id, options, chosen) {
  return element("select", { id }, options.map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
}
