/** A race under way: one's own table with everybody's meters above it, or for those not in it the meters alone. */
import { readGame } from "./api.js";
import { element, fill } from "./dom.js";
import { isDone, remaining, seatOf } from "./race.js";
import { makeRacers } from "./racers.js";
import { takeSeat } from "./seat.js";
import { duration } from "./words.js";

/** The clock of a race. @param {() => number} serverNow */
function makeClock(serverNow) {
  const left = element("strong", { class: "time-left", role: "timer" });
  const words = element("span", { class: "unseen", role: "status" });
  let race = null;
  let told = false;
  const tick = () => {
    const time = race ? remaining(race, serverNow()) : null;
    left.textContent = time === null ? "" : `${duration(time + 999)} left`;
    left.classList.toggle("late", time !== null && time < 60000);
    if (time !== null && time < 60000 && time > 0 && !told) {
      told = true;
      words.textContent = "Less than a minute is left.";
    }
  };
  const timer = setInterval(tick, 250);
  return {
    nodes: [left, words],
    show(next) {
      race = next;
      tick();
    },
    close: () => clearInterval(timer),
  };
}

/**
 * One's own table in the race.
 * @param {HTMLElement} root
 * @param {object} race running, with the player in it
 * @param {{app: object, serverNow: () => number}} about
 */
export async function makeOwnRace(root, race, { app, serverNow }) {
  const view = await readGame(seatOf(race, app.player).meter.game);
  const clock = makeClock(serverNow);
  const racers = makeRacers(app.player.id);
  const band = element("section", { class: "band race-band", "aria-label": "The race" }, clock.nodes, racers.node);
  root.classList.add("play");
  let last = race;
  let done = false;
  const show = (next) => {
    last = next;
    done ||= isDone(seatOf(next, app.player));
    clock.show(next);
    racers.show(next, { open: done });
  };
  show(race);
  const seat = await takeSeat(root, view, app, {
    title: element("span", { class: "eyebrow" }, "Race"),
    band,
    warning: "Give up this race? The cards you have home still count.",
    ended() {
      done = true;
      show(last);
      if (last.state === "running") seat.say("You are done, the others play on. Their names lead to their tables.", true);
    },
  });
  return {
    show,
    close() {
      seat.close();
      clock.close();
      root.classList.remove("play");
    },
  };
}

/**
 * The race for those who are not in it.
 * @param {HTMLElement} root
 * @param {{rules: object, serverNow: () => number}} about
 */
export function makeOthersRace(root, { rules, serverNow }) {
  const clock = makeClock(serverNow);
  const racers = makeRacers();
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, "A race"), element("h1", {}, rules.name)),
    element("section", { class: "panel" }, element("p", {}, clock.nodes), racers.node,
      element("p", { class: "fine" }, "The cards of a race stay covered until it is over.")));
  return {
    show(race) {
      clock.show(race);
      racers.show(race, { open: false });
    },
    close: clock.close,
  };
}
