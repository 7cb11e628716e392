/**
 * An evening and its standing, asked for again and again: often while a round is open, at once when something is due.
 *
 * @import { Evening, EveningStanding } from "wire"
 */
import { readEvening, readStanding } from "./evenings_api.js";
import { nextMoment } from "./evening_words.js";

const POLL_MILLISECONDS = 3000;
const CALM_MILLISECONDS = 10000;
/** After an error it is asked more and more seldom, up to this. */
const MAX_WAIT_MILLISECONDS = 30000;
/** A due event is written by whoever asks first after its time. */
const DUE_MILLISECONDS = 150;

/**
 * @param {string} id
 * @param {(evening: Evening, standing: EveningStanding) => void} show called with each answer
 * @param {{lost?: (error: unknown) => void}} [about] `lost`: the server did not answer, or knows no such evening
 */
export function followEvening(id, show, { lost = () => {} } = {}) {
  let isClosed = false;
  let timer = 0;
  let failures = 0;
  let offset = 0;
  /** The last answer, whose entrants need not be sent again. @type {Evening|null} */
  let known = null;

  async function ask() {
    clearTimeout(timer);
    let wait = CALM_MILLISECONDS;
    try {
      const [read, standing] = await Promise.all([readEvening(id, known?.entrants_tag), readStanding(id)]);
      if (isClosed) return;
      const evening = known && read.entrants_tag === known.entrants_tag ? { ...read, entrants: known.entrants } : read;
      known = evening;
      failures = 0;
      offset = evening.at - Date.now();
      show(evening, standing);
      const moment = nextMoment(evening);
      if (evening.state === "round" || evening.state === "pause") wait = POLL_MILLISECONDS;
      if (moment !== null) wait = Math.min(wait, Math.max(DUE_MILLISECONDS, moment - Date.now() - offset + DUE_MILLISECONDS));
    } catch (error) {
      failures += 1;
      wait = Math.min(MAX_WAIT_MILLISECONDS, POLL_MILLISECONDS * failures);
      if (!isClosed) lost(error);
    }
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(ask, wait);
  }
  const wake = () => document.visibilityState === "visible" && ask();
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", ask);
  return {
    ask,
    now: () => Date.now() + offset,
    close() {
      isClosed = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wake);
      removeEventListener("online", ask);
    },
  };
}
