/** The controls of a spectator: one step back, one step on, and back to live. */
import { stepWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { button, element } from "../ui/dom.js";

/**
 * @param {() => import("./spectator.js").Spectator|null} screening
 * @returns {{node: HTMLElement, show: (seen: import("./spectator.js").SpectatorView) => void, key: (event: KeyboardEvent) => void}}
 */
export function makeStepControls(screening) {
  /** @param {string} sign @param {string} key @param {() => unknown} pressed */
  const tool = (sign, key, pressed) => {
    const made = button(sign, pressed, "button step");
    made.setAttribute("aria-label", t(key));
    made.title = t(key);
    return made;
  };
  const back = tool("‹", "replay.back", () => screening()?.stepBy(-1));
  const on = tool("›", "replay.on", () => screening()?.stepBy(1));
  const live = button(t("watch.live"), () => screening()?.goLive(), "button live");
  const where = element("output", { class: "where" });
  const node = element("span", { class: "backstep", role: "group", "aria-label": t("watch.steps") }, back, on, live, where);
  return {
    node,
    show({ session, step, at, last }) {
      const played = session.played > 0 || last > 0;
      back.disabled = !played || (step !== null && at === 0);
      on.disabled = step === null;
      live.classList.toggle("on", step === null);
      live.setAttribute("aria-pressed", String(step === null));
      where.textContent = step === null ? "" : t("replay.where", { now: at, last, words: stepWords(step) });
    },
    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog, .board")) return;
      /** @type {Record<string, () => unknown>} */
      const acts = {
        ArrowLeft: () => screening()?.stepBy(-1), ArrowRight: () => screening()?.stepBy(1),
        Home: () => screening()?.goTo(0), End: () => screening()?.goLive(),
      };
      const act = acts[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    },
  };
}
