/** The lobby: races that one may join, and making one. */
import { listRaces, listRules, openRace } from "../api.js";
import { chanceWord } from "../chance.js";
import { element, fill, link } from "../dom.js";
import { raceWords } from "../race.js";
import { returnToRace } from "../returning.js";

/** The list is asked for anew so often, in milliseconds. */
const PACE = 5000;
const SIZES = [2, 3, 4, 6, 8, 12, 16];
const MINUTES = [2, 3, 5, 10, 15, 20, 30, 60];
const COUNTDOWNS = [3, 5, 10, 30];

/** @param {HTMLElement} root */
export async function show(root, _parameters, app) {
  app.title("Races");
  const rules = await listRules();
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const list = element("ul", { class: "rows races", "aria-live": "polite" });
  const none = element("p", { class: "fine" }, "No race is open just now. Make one, and whoever looks in here can join.");
  fill(root, returnToRace(app),
    element("header", { class: "heading" }, element("h1", {}, "Races"),
      element("p", { class: "fine" }, "The same cards for everybody at the same moment. Whoever finishes first wins; if nobody does, whoever has most cards home when the time is up.")),
    element("div", { class: "pair" },
      element("section", { class: "panel" }, element("h2", {}, "Open races"), none, list),
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
      element("span", {}, race.racers.map(({ player }) => player.name).join(", ")),
      element("span", { class: "fine" }, `${race.racers.length} of ${raceWords(race).replace("up to ", "")}`))));
  }
  await load();
  const timer = setInterval(() => load().catch(() => {}), PACE);
  return () => clearInterval(timer);
}

function raceForm(rules, app) {
  const game = choice("race-game", rules.map(({ slug, name }) => [slug, name]), rules.some(({ slug }) => slug === "klondike") ? "klondike" : rules[0].slug);
  const size = choice("race-size", SIZES.map((many) => [many, `${many} people`]), 4);
  const time = choice("race-time", MINUTES.map((minutes) => [minutes * 60, `${minutes} minutes`]), 600);
  const countdown = choice("race-countdown", COUNTDOWNS.map((seconds) => [seconds, `${seconds} seconds`]), 5);
  const open = element("input", { type: "checkbox", id: "race-open", checked: true });
  const problem = element("p", { class: "problem", role: "alert" });
  const make = async () => {
    await app.needPlayer();
    const race = await openRace({
      rules: game.value, nonce: chanceWord(), size: Number(size.value), seconds: Number(time.value),
      countdown: Number(countdown.value), open: open.checked,
    });
    app.go(`/race/${race.race}`);
  };
  return element("form", { class: "panel form grid", on: {
    submit: (event) => {
      event.preventDefault();
      make().catch((refusal) => {
        problem.textContent = refusal.message;
      });
    },
  } }, element("h2", {}, "Make a race"),
  labelled("Game", game), labelled("People, at most", size), labelled("Time", time), labelled("Countdown", countdown),
  element("p", { class: "check" }, open, element("label", { for: open.id }, "Open to anyone; otherwise by its link only")),
  problem, element("button", { class: "button primary" }, "Make the race"));
}

function labelled(words, field) {
  return element("p", {}, element("label", { for: field.id }, words), field);
}

function choice(id, options, chosen) {
  return element("select", { id }, options.map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
}
