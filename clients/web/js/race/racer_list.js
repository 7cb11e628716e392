/**
 * The meters of everybody in a race, in order. A row glides to its new place when one racer overtakes another.
 *
 * @import { Player, Race, Racer } from "wire"
 */
import { isFinished } from "../game/session.js";
import { nameWords, statusWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { element } from "../ui/dom.js";
import { playerMarks } from "../ui/player_name.js";
import { reorder } from "../ui/reorder.js";
import { racersInOrder } from "./race_state.js";

/**
 * @param {string} [me] the reader's own player id
 * @returns {{node: HTMLElement, show: (race: Race, about: {open: boolean}) => void}} `open`: whether the boards may be seen
 */
export function makeRacerList(me) {
  /** @type {Map<string, ReturnType<typeof makeRow>>} */
  const rows = new Map();
  const node = element("ol", { class: "racers", "aria-label": t("races.everybody") });
  return {
    node,
    show(race, { open }) {
      const most = Math.max(10, ...race.racers.map(({ meter }) => meter?.home ?? 0));
      reorder(node, racersInOrder(race).map((racer) => {
        const row = rows.get(racer.player.id) ?? makeRow(racer.player, me);
        rows.set(racer.player.id, row);
        row.show(racer, most, open);
        return row.node;
      }));
    },
  };
}

/** @param {Player} player @param {string|undefined} me */
function makeRow(player, me) {
  const own = player.id === me;
  const name = element("a", {}, own ? t("races.you") : nameWords(player));
  const filled = element("span");
  const figures = element("span", { class: "figures" });
  const node = element("li", { class: own ? "own" : "" },
    element("span", { class: "who" }, name, playerMarks(player)),
    element("span", { class: "gauge", "aria-hidden": "true" }, filled), figures);
  return {
    node,
    /** @param {Racer} racer @param {number} most @param {boolean} open */
    show({ meter }, most, open) {
      if (open && meter && !own) name.href = `/watch/${meter.game}`;
      else name.removeAttribute("href");
      filled.style.width = `${meter?.status === "won" ? 100 : (100 * (meter?.home ?? 0)) / most}%`;
      const cards = meter ? t("races.cards", { count: meter.home }) : "";
      figures.textContent = meter && isFinished(meter.status) ? t("races.cards_end", { cards, status: statusWords(meter.status) }) : cards;
    },
  };
}
