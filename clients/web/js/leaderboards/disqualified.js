/**
 * Runs that hosts have taken off the boards: what is said on the page of such a run, and beside the board.
 *
 * @import { Struck, StruckRun } from "wire"
 */
import { momentWords, nameWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { element } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

/** What is said of a struck run, with the reason. @param {Struck} struck */
export function struckWords({ reason, at }) {
  return t("struck.run", { reason: t(`admin.reason_${reason}`), moment: momentWords(at) });
}

/**
 * The runs that were taken off a board; empty if there are none.
 * @param {StruckRun[]|undefined} runs
 * @param {boolean} open whether everybody's runs may be seen
 */
export function makeStruckList(runs, open) {
  if (!runs?.length) return [];
  return [element("h2", {}, t("struck.title")), element("ul", { class: "rows" }, runs.map((run) => element("li", {},
    element("span", {}, playerName(run.player), element("small", { class: "fine" }, struckWords(run))),
    open && element("a", { href: `/replay/${run.game}`, class: "fine", "aria-label": t("compare.replay_of", { player: nameWords(run.player) }) },
      t("compare.replay")))))];
}
