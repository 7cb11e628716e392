/**
 * Picking two runs of one deal, to compare them side by side.
 *
 * @import { BoardEntry } from "wire"
 * @typedef {{game: string, name: string, made: HTMLInputElement}} Run
 */
import { nameWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, element, fill, link } from "../ui/dom.js";

/**
 * The line with the link to the comparison, and a checkbox for each run. A third choice replaces the first one.
 * @returns {{node: HTMLElement, box: (entry: BoardEntry) => HTMLInputElement|null}}
 */
export function makeRunPicker() {
  /** @type {Run[]} */
  let chosen = [];
  const way = element("span");
  const said = element("span", { class: "fine", role: "status" });
  const node = element("p", { class: "comparing" }, said, way);

  /** @param {Run[]} next */
  function choose(next) {
    chosen = next.slice(-2);
    next.filter((run) => !chosen.includes(run)).forEach(({ made }) => {
      made.checked = false;
    });
    said.textContent = t(chosen.length === 1 ? "boards.compare_one" : "boards.compare_hint", { name: chosen[0]?.name ?? "" });
    said.hidden = chosen.length === 2;
    node.classList.toggle("choosing-two", chosen.length > 0);
    fill(way, chosen.length === 2 && [compareLink(chosen), button(t("boards.compare_clear"), clear, "quiet")]);
  }

  /** @param {Run[]} two */
  function compareLink([first, second]) {
    const words = t("boards.compare_two", { first: first.name, second: second.name });
    return link(`/compare/${first.game},${second.game}`, words, "button primary");
  }

  function clear() {
    const [first] = chosen;
    chosen.forEach(({ made }) => {
      made.checked = false;
    });
    choose([]);
    first.made.focus();
  }

  choose([]);
  return {
    node,
    box({ game, player }) {
      if (!game) return null;
      /** @type {HTMLInputElement} */
      const made = element("input", { type: "checkbox", "aria-label": t("boards.compare_label", { name: nameWords(player) }), on: {
        change: () => choose(made.checked ? [...chosen, run] : chosen.filter((one) => one !== run)),
      } });
      const before = chosen.find((run) => run.game === game);
      const run = before ?? { game, name: nameWords(player), made };
      run.made = made;
      made.checked = Boolean(before);
      return made;
    },
  };
}
