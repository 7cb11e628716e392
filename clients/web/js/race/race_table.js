/**
 * A race that is on: the player's own table under everybody's meters, or for spectators the meters alone.
 *
 * @import { Race, RulesPage } from "wire"
 * @import { App } from "../main.js"
 */
import { durationWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { readGame } from "../net/api.js";
import { makePlayerTable } from "../table/player_table.js";
import { element, fill } from "../ui/dom.js";
import { keepReceipt } from "../watch/receipts/stored_receipts.js";
import { hasFinished, racerOf, remainingMilliseconds } from "./race_state.js";
import { makeRacerList } from "./racer_list.js";

/** The clock of a race. @param {() => number} serverNow */
function makeRaceClock(serverNow) {
  const left = element("strong", { class: "time-left", role: "timer" });
  const words = element("span", { class: "unseen", role: "status" });
  /** @type {Race|null} */
  let race = null;
  let hasWarned = false;
  const tick = () => {
    const time = race ? remainingMilliseconds(race, serverNow()) : null;
    left.textContent = time === null ? "" : t("races.left", { time: durationWords(time + 999) });
    left.classList.toggle("late", time !== null && time < 60000);
    if (time !== null && time < 60000 && time > 0 && !hasWarned) {
      hasWarned = true;
      words.textContent = t("races.last_minute");
    }
  };
  const timer = setInterval(tick, 250);
  return {
    nodes: [left, words],
    /** @param {Race} next */
    show(next) {
      race = next;
      tick();
    },
    close: () => clearInterval(timer),
  };
}

/**
 * The player's own table in the race.
 * @param {HTMLElement} root
 * @param {Race} race that is running, with the player in it
 * @param {string} game the id of the player's game
 * @param {{app: App, serverNow: () => number}} about
 */
export async function makeRaceTable(root, race, game, { app, serverNow }) {
  const view = await readGame(game);
  const clock = makeRaceClock(serverNow);
  const racers = makeRacerList(app.player?.id);
  const band = element("section", { class: "band race-band", "aria-label": t("races.the_race") }, clock.nodes, racers.node);
  root.classList.add("play");
  let last = race;
  let done = false;
  const show = (/** @type {Race} */ next) => {
    last = next;
    done ||= hasFinished(racerOf(next, app.player));
    clock.show(next);
    racers.show(next, { open: done });
  };
  show(race);
  const seat = await makePlayerTable(root, view, app, {
    title: element("span", { class: "eyebrow" }, t("races.race")),
    band,
    warning: t("races.give_up"),
    ended() {
      done = true;
      show(last);
      keepReceipt(game, seat.rules.name);
      if (last.state === "running") seat.say(t("races.done"), true);
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
 * The race for somebody who is not in it.
 * @param {HTMLElement} root
 * @param {{rules: RulesPage, serverNow: () => number}} about
 */
export function makeRaceView(root, { rules, serverNow }) {
  const clock = makeRaceClock(serverNow);
  const racers = makeRacerList();
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, t("races.a_race")), element("h1", {}, rules.name)),
    element("section", { class: "panel" }, element("p", {}, clock.nodes), racers.node,
      element("p", { class: "fine" }, t("races.covered"))));
  return {
    /** @param {Race} race */
    show(race) {
      clock.show(race);
      racers.show(race, { open: false });
    },
    close: clock.close,
  };
}
