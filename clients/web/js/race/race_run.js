/** A button that starts a practice run of a deal against the recorded pace of another run. */
import { refusalWords } from "../language/refusals.js";
import { startPractice } from "../net/api.js";
import { button } from "../ui/dom.js";

/**
 * @param {string} words
 * @param {{day: string, slot: number, run: string}} about the deal, and the id of the run to race against
 * @param {{app: import("../main.js").App, problem: HTMLElement}} around `problem` shows a refusal
 */
export function raceRunButton(words, { day, slot, run }, { app, problem }) {
  return button(words, async () => {
    problem.textContent = "";
    try {
      await app.ensurePlayer();
      const practice = await startPractice(day, slot);
      app.go(`/play/${practice.id}?ghost=${run}`);
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
}
