/** Where a game came from that was played on from a position of another one. */
import { replaySteps } from "../game/replay_steps.js";
import { nameWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { readReplay } from "../net/api.js";
import { link } from "../ui/dom.js";
import { stepWithVersion } from "./verdicts.js";

/**
 * A link to the replay at that position. Whose game it was, and which move, is said as soon as it is known.
 * @param {{game: string, version: number}} origin
 * @param {string} [className]
 */
export function originLink({ game, version }, className) {
  const made = /** @type {HTMLAnchorElement} */ (link(`/replay/${game}`, t("analysis.played_on"), className));
  readReplay(game).then((replay) => {
    const move = stepWithVersion(replaySteps(replay), version);
    made.href = `/replay/${game}?move=${move}`;
    made.textContent = t(move ? "analysis.played_on_from" : "analysis.played_again", { move, player: nameWords(replay.dealt.game.player) });
  }).catch(() => {}); // the link without these words leads to the replay, which says what is wrong
  return made;
}
