/** The runs of a race side by side, all at the same moment of it. */
import { readRace, readReplay, readRules } from "../api.js";
import { Board } from "../board.js";
import { counted } from "../cards.js";
import { button, element, fill, link } from "../dom.js";
import { nameOf } from "../people.js";
import { stepAt, timeline } from "../positions.js";
import { inOrder } from "../race.js";
import { EMPTY } from "../selection.js";
import { duration, rankWords } from "../words.js";

/** How fast it plays by itself, and how often it is drawn, in milliseconds. */
const SPEED = 8;
const PACE = 200;

/** @param {HTMLElement} root */
export async function show(root, { race: id }, app) {
  const race = await readRace(id);
  const [rules, runs] = await Promise.all([readRules(race.rules), readRuns(race)]);
  app.title(`Replays of ${rules.name}`);
  const length = Math.max(1000, ...runs.map(({ steps }) => steps.at(-1).at));
  const seats = runs.map((run) => makeSeat(run, rules));
  const slider = element("input", { type: "range", min: 0, max: length, step: "any", value: 0, "aria-label": "Time", on: { input: () => go(Number(slider.value)) } });
  const where = element("output", { class: "where" });
  const runButton = button("Play", () => (timer ? pause() : run()));
  let now = 0;
  let timer = 0;

  fill(root, element("header", { class: "heading" },
    element("p", { class: "eyebrow" }, link(`/race/${id}`, "The race")), element("h1", {}, rules.name)),
  element("section", { class: "panel sides" }, element("p", { class: "stepper" }, runButton, slider, where)),
  element("div", { class: "side-by-side" }, seats.map(({ node }) => node)));

  function go(wanted) {
    now = Math.min(length, wanted);
    seats.forEach(({ draw }) => draw(now));
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", `${duration(now)} of ${duration(length)}`);
    where.textContent = `${duration(now)} of ${duration(length)}`;
    if (now === length) pause();
  }
  function run() {
    if (now === length) now = 0;
    runButton.textContent = "Pause";
    timer = setInterval(() => go(now + PACE * SPEED), PACE);
  }
  function pause() {
    runButton.textContent = "Play";
    clearInterval(timer);
    timer = 0;
  }

  go(0);
  return () => {
    pause();
    seats.forEach(({ close }) => close());
  };
}

async function readRuns(race) {
  const racers = inOrder(race).filter(({ meter }) => meter);
  return Promise.all(racers.map(async (racer) => ({ racer, steps: timeline(await readReplay(racer.meter.game)) })));
}

function makeSeat({ racer, steps }, rules) {
  const table = element("div", { class: "still" });
  const felt = element("div", { class: "felt" }, table);
  const figures = element("p", { class: "figures" });
  const node = element("section", { class: "panel side" },
    element("h2", {}, racer.rank && element("span", { class: "rank" }, `${rankWords(racer.rank)} `), nameOf(racer.player)), felt, figures);
  const board = new Board(table, rules.layout, {
    label: `${racer.player.name}’s table`,
    room: () => ({ width: felt.clientWidth - 16, height: 340, fitHeight: true, grain: 1 / Math.max(1, Math.round(devicePixelRatio)) }),
  });
  let drawn = null;
  return {
    node,
    draw(time) {
      const step = steps[stepAt(steps, time)];
      if (step === drawn) return;
      drawn = step;
      board.draw({ piles: step.session.piles, hand: EMPTY, targets: new Map() });
      figures.textContent = `${counted(step.session.home, "card")} home, score ${step.session.score}, ${counted(step.session.played, "move")}`;
    },
    close: () => board.close(),
  };
}
