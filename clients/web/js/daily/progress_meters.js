/**
 * How far everybody is with a deal. The meters show nothing of the deal itself.
 *
 * @import { Meter } from "wire"
 */
import { isFinished } from "../game/session.js";
import { durationWords, nameWords, scorePercent, scoreWords, statusWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { progressRankKey, sortByRankKey } from "../leaderboards/ranking.js";
import { button, element, link } from "../ui/dom.js";
import { playerMarks } from "../ui/player_name.js";
import { reorder } from "../ui/reorder.js";

/** So many meters are shown before the reader asks for the others. */
const FIRST_SHOWN = 24;

/**
 * A list of meters. At an update a row glides to its new place when one game overtakes another.
 * @param {{mine?: string, open: boolean, maximum?: number}} about the reader's own game; whether the boards of others may be
 *   seen; the highest possible score of the deal's game
 * @returns {{node: HTMLElement, show: (meters: Meter[]) => void}}
 */
export function makeProgressMeters({ mine, open, maximum }) {
  /** @type {Map<string, ReturnType<typeof makeRow>>} */
  const rows = new Map();
  const list = element("ol", { class: "meters" });
  const more = button("", showAllMeters);
  const none = element("p", { class: "fine" }, t("meters.none"));
  const node = element("div", {}, none, list, element("p", { class: "actions" }, more));
  let all = false;
  /** @type {Meter[]} */
  let latest = [];

  /** @param {Meter[]} known those that a host has struck off the boards are left out */
  function show(known) {
    latest = known;
    const meters = known.filter(({ struck }) => !struck);
    const most = maximum ?? Math.max(1, ...meters.map(({ score }) => score));
    const sorted = sortByRankKey(meters, progressRankKey);
    const shown = all ? sorted : sorted.filter((meter, index) => index < FIRST_SHOWN || meter.game === mine);
    none.hidden = meters.length > 0;
    reorder(list, shown.map((meter) => {
      const made = rows.get(meter.game) ?? makeRow(meter, { mine, open, maximum });
      rows.set(meter.game, made);
      made.show(meter, most);
      return made.node;
    }));
    const hidden = sorted.length - shown.length;
    more.hidden = hidden === 0;
    more.textContent = t("meters.everybody", { count: hidden });
  }

  function showAllMeters() {
    const shown = list.children.length;
    all = true;
    show(latest);
    list.children[shown]?.querySelector("a")?.focus();
  }

  return { node, show };
}

/** @param {Meter} meter @param {{mine?: string, open: boolean, maximum?: number}} about */
function makeRow({ game, player }, { mine, open, maximum }) {
  const own = game === mine;
  const name = link("", own ? t("common.you", { name: nameWords(player) }) : nameWords(player));
  const unranked = element("small", { hidden: true }, ` ${t("meters.unranked")}`);
  const filled = element("span");
  const score = element("span", { class: "figures" });
  const rest = element("span", { class: "figures fine" });
  const node = element("li", { class: own ? "own" : "" },
    element("span", { class: "who" }, name, playerMarks(player), unranked),
    element("span", { class: "gauge", "aria-hidden": "true" }, filled), score, rest);
  return {
    node,
    /** @param {Meter} meter @param {number} most */
    show(meter, most) {
      const over = isFinished(meter.status);
      name.href = over ? (own || open ? `/replay/${game}` : `/players/${player.id}`) : `/${own ? "play" : "watch"}/${game}`;
      unranked.hidden = meter.ranked;
      filled.style.width = `${scorePercent(meter.score, most)}%`;
      score.textContent = scoreWords(meter.score, maximum);
      rest.textContent = t("meters.rest",
        { moves: t("common.moves", { count: meter.moves }), time: durationWords(meter.milliseconds), status: statusWords(meter.status) });
    },
  };
}
