/**
 * Controls to go through a game: first step, one step back, play and pause, one step on, last step, a slider and a speed.
 *
 * A place is a number: the number of a step, or milliseconds since the deal. `stops` are the places at which something happens,
 * in order. The first stop is the beginning and the last one the end.
 */
import { formatNumber, t } from "../language/translate.js";
import { button, element } from "../ui/dom.js";

export const SPEEDS = [0.5, 1, 2, 4, 8];
/** The time between two updates of a game that is played back by its clock. */
const TICK_MILLISECONDS = 100;
/** The duration of a step at speed 1. */
const STEP_MILLISECONDS = 1000;

/** The stop after a place; the last stop if there is none. @param {number[]} stops @param {number} now */
export function stopAfter(stops, now) {
  return stops.find((stop) => stop > now) ?? stops[stops.length - 1];
}

/** The stop before a place; the first stop if there is none. @param {number[]} stops @param {number} now */
export function stopBefore(stops, now) {
  return stops.findLast((stop) => stop < now) ?? stops[0];
}

/**
 * @param {Object} about
 * @param {number[]} about.stops
 * @param {boolean} [about.timed] whether places are milliseconds
 * @param {number} [about.speed] at the beginning
 * @param {(now: number) => void} about.go called with every new place
 * @param {(now: number) => string} about.words a place in words, for screen readers
 * @returns {{node: HTMLElement, go: (now: number) => void, close: () => void}}
 */
export function makeScrubber({ stops, timed = false, speed = 1, go: onChange, words }) {
  const end = stops[stops.length - 1];
  let now = stops[0];
  let timer = 0;
  /** @type {HTMLInputElement} */
  const slider = element("input", {
    type: "range", min: stops[0], max: end, value: now, step: timed ? "any" : 1, "aria-label": t(timed ? "replay.time" : "replay.move"),
    on: { input: () => go(Number(slider.value)) },
  });
  /** @param {string} sign @param {string} key @param {() => void} pressed */
  const tool = (sign, key, pressed, kind = "") => {
    const made = button(sign, pressed, `button step ${kind}`);
    made.setAttribute("aria-label", t(key));
    made.title = t(key);
    return made;
  };
  const first = tool("«", "replay.to_start", () => go(stops[0]));
  const back = tool("‹", "replay.back", () => go(stopBefore(stops, now)));
  const run = tool("▶", "replay.play", () => (timer ? pause() : play()), "run");
  const on = tool("›", "replay.on", () => go(stopAfter(stops, now)));
  const last = tool("»", "replay.to_end", () => go(end));
  const pace = element("select", { class: "speed", "aria-label": t("replay.speed"), on: { change: () => timer && play() } },
    SPEEDS.map((value) => element("option", { value, selected: value === speed }, t("replay.times", { speed: formatNumber(value) }))));
  const node = element("div", { class: "stepper", role: "group", "aria-label": t("replay.controls") },
    first, back, run, on, last, slider, pace);

  /** @param {number} wanted */
  function go(wanted) {
    now = Math.max(stops[0], Math.min(end, wanted));
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", words(now));
    first.disabled = back.disabled = now === stops[0];
    on.disabled = last.disabled = now === end;
    if (now === end) pause();
    onChange(now);
  }
  function play() {
    const factor = Number(pace.value);
    if (now === end) go(stops[0]);
    clearInterval(timer);
    const next = () => (timed ? now + TICK_MILLISECONDS * factor : stopAfter(stops, now));
    timer = window.setInterval(() => go(next()), timed ? TICK_MILLISECONDS : STEP_MILLISECONDS / factor);
    setRunButton("❚❚", "replay.pause");
  }
  function pause() {
    clearInterval(timer);
    timer = 0;
    setRunButton("▶", "replay.play");
  }
  /** @param {string} sign @param {string} key */
  function setRunButton(sign, key) {
    run.textContent = sign;
    run.title = t(key);
    run.setAttribute("aria-label", t(key));
  }
  /** @param {number} by */
  function changeSpeed(by) {
    pace.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, pace.selectedIndex + by));
    if (timer) play();
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!node.isConnected) return; // The reader has left the page, and it is still loading.
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, select, textarea, .board")) return;
    if (document.querySelector("dialog[open]") !== node.closest("dialog")) return;
    if (event.key === " " && target?.closest("button, a, summary")) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => go(stopBefore(stops, now)), ArrowRight: () => go(stopAfter(stops, now)),
      Home: () => go(stops[0]), End: () => go(end),
      " ": () => (timer ? pause() : play()), "+": () => changeSpeed(1), "-": () => changeSpeed(-1),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  addEventListener("keydown", key);
  return {
    node, go,
    close() {
      clearInterval(timer);
      removeEventListener("keydown", key);
    },
  };
}
