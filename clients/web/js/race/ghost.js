/** A race against a finished run: its meter moves at the recorded pace, beside the player's own meter. */
import { elapsedMilliseconds, isOver } from "../game/session.js";
import { durationWords, nameWords, statusWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { readPace } from "../net/api.js";
import { element } from "../ui/dom.js";
import { comparePace, paceAt } from "./pace.js";

/**
 * @param {string} game the id of the finished run
 * @returns {Promise<{node: HTMLElement, show: (session: import("../game/session.js").Session) => void, close: () => void}>}
 */
export async function makeGhost(game) {
  const { game: card, points } = await readPace(game);
  const [length, goal] = points[points.length - 1];
  const most = Math.max(goal, 1, ...points.map(([, home]) => home));
  const [mine, theirs] = [makeMeter(t("time.you")), makeMeter(nameWords(card.player))];
  const words = element("strong", { role: "status" });
  const node = element("section", { class: "band ghost", "aria-label": t("time.race_against", { name: nameWords(card.player) }) },
    words, mine.node, theirs.node);
  /** @type {import("../game/session.js").Session|null} */
  let session = null;
  let side = "";

  function tick() {
    if (!session?.game) return;
    const now = elapsedMilliseconds(session, Date.now());
    const there = paceAt(points, now);
    const comparison = comparePace(session, there);
    // Screen readers say who is ahead only when this changes, not at every card.
    words.setAttribute("aria-live", comparison.side === side ? "off" : "polite");
    side = comparison.side;
    words.textContent = comparison.words;
    node.dataset.side = comparison.side;
    mine.show(session.home, most);
    theirs.show(there.home, most, there.over ? t("time.ended", { status: statusWords(card.status), time: durationWords(length) }) : "");
  }

  const timer = setInterval(() => session && !isOver(session) && tick(), 500);
  return {
    node,
    show(next) {
      session = next;
      tick();
    },
    close: () => clearInterval(timer),
  };
}

/** @param {string} name */
function makeMeter(name) {
  const filled = element("span");
  const figure = element("span", { class: "figures" });
  const node = element("p", {}, element("span", { class: "who" }, name),
    element("span", { class: "gauge", "aria-hidden": "true" }, filled), figure);
  return {
    node,
    /** @param {number} home @param {number} most */
    show(home, most, end = "") {
      filled.style.width = `${Math.min(100, (100 * home) / most)}%`;
      figure.textContent = [t("time.cards", { count: home }), end].filter(Boolean).join(" · ");
    },
  };
}
