/** The meter wall: how far everybody is with a deal, and nothing of the deal itself. */
import { counted } from "./cards.js";
import { element, link } from "./dom.js";
import { duration, statusWords } from "./words.js";

/**
 * @param {object[]} meters
 * @param {{mine?: string, closed: boolean}} about
 */
export function meterWall(meters, { mine, closed }) {
  if (meters.length === 0) return element("p", { class: "fine" }, "Nobody has begun yet. Be the first.");
  const open = closed || meters.some((meter) => meter.game === mine && !["playing", "stuck"].includes(meter.status));
  const best = Math.max(20, ...meters.map((meter) => meter.home));
  const sorted = [...meters].sort((one, other) => other.home - one.home || other.score - one.score || one.moves - other.moves);
  return element("ol", { class: "meters" }, sorted.map((meter) => row(meter, best, { mine, open })));
}

function row(meter, best, { mine, open }) {
  const own = meter.game === mine;
  const filled = element("span");
  filled.style.width = `${(100 * meter.home) / best}%`;
  const gauge = element("span", { class: "gauge", "aria-hidden": "true" }, filled);
  const playing = ["playing", "stuck"].includes(meter.status);
  const address = `/${playing ? (own ? "play" : "watch") : "replay"}/${meter.game}`;
  const name = meter.player.name + (own ? " (you)" : "");
  return element("li", { class: own ? "own" : "" },
    element("span", { class: "who" }, own || open || playing ? link(address, name) : name, !meter.ranked && element("small", {}, " unranked")),
    gauge,
    element("span", { class: "figures" }, `${counted(meter.home, "card")} home`),
    element("span", { class: "figures fine" }, `${counted(meter.moves, "move")} · ${duration(meter.milliseconds)} · ${statusWords(meter.status)}`));
}
