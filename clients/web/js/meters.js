/** The meter wall: how far everybody is with a deal, and nothing of the deal itself. */
import { counted } from "./cards.js";
import { isFinished } from "./deals.js";
import { element, fill, link } from "./dom.js";
import { marks } from "./people.js";
import { reorder } from "./reorder.js";
import { duration, statusWords } from "./words.js";

/** So many are shown before one asks for the others. */
const FIRST = 24;

/**
 * A wall that is told again and again; rows glide as one overtakes another.
 * @param {{mine?: string, open: boolean}} about one's own game; whether the boards of others may be seen
 * @returns {{node: HTMLElement, show: (meters: object[]) => void}}
 */
export function makeWall({ mine, open }) {
  const rows = new Map();
  const list = element("ol", { class: "meters" });
  const rest = element("p", { class: "actions" });
  const none = element("p", { class: "fine" }, "Nobody has begun yet. Be the first.");
  const node = element("div", {}, none, list, rest);
  let all = false;

  function show(meters) {
    const most = Math.max(20, ...meters.map(({ home }) => home));
    const sorted = [...meters].sort((one, other) => other.home - one.home || other.score - one.score || one.moves - other.moves);
    const shown = all ? sorted : sorted.filter((meter, index) => index < FIRST || meter.game === mine);
    none.hidden = meters.length > 0;
    reorder(list, shown.map((meter) => {
      const made = rows.get(meter.game) ?? makeRow(meter, { mine, open });
      rows.set(meter.game, made);
      made.show(meter, most);
      return made.node;
    }));
    const hidden = sorted.length - shown.length;
    fill(rest, hidden > 0 && element("button", { type: "button", class: "button", on: { click: () => {
      all = true;
      show(meters);
    } } }, `Everybody (${hidden} more)`));
  }

  return { node, show };
}

function makeRow({ game, player }, { mine, open }) {
  const own = game === mine;
  const name = link("", player.name + (own ? " (you)" : ""));
  const unranked = element("small", { hidden: true }, " unranked");
  const filled = element("span");
  const home = element("span", { class: "figures" });
  const rest = element("span", { class: "figures fine" });
  const node = element("li", { class: own ? "own" : "" },
    element("span", { class: "who" }, name, marks(player), unranked),
    element("span", { class: "gauge", "aria-hidden": "true" }, filled), home, rest);
  return {
    node,
    show(meter, most) {
      const over = isFinished(meter.status);
      name.href = over ? (own || open ? `/replay/${game}` : `/players/${player.id}`) : `/${own ? "play" : "watch"}/${game}`;
      unranked.hidden = meter.ranked;
      filled.style.width = `${(100 * meter.home) / most}%`;
      home.textContent = `${counted(meter.home, "card")} home`;
      rest.textContent = `${counted(meter.moves, "move")} · ${duration(meter.milliseconds)} · ${statusWords(meter.status)}`;
    },
  };
}
