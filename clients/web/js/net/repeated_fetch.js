/**
 * Requests with a deadline, sent again while no server has answered. The server's clock is read from the answers.
 *
 * @typedef {import("./liveness.js").Timers} Timers
 */
import { setServerClock } from "./server_clock.js";

/** For each attempt its deadline, and how long to wait before the next one. A slow line gets more time with each. */
const ATTEMPTS = [
  { deadlineMilliseconds: 8000, pauseMilliseconds: 300 },
  { deadlineMilliseconds: 15000, pauseMilliseconds: 1000 },
  { deadlineMilliseconds: 30000, pauseMilliseconds: null },
];
/** What a proxy answers for a server that does not answer. */
const GATEWAY_STATUSES = [502, 503, 504];

/** @type {Set<(isReached: boolean) => void>} */
const listeners = new Set();
let isReached = true;

/**
 * Call a listener when an attempt has reached no server, and when the next one does. The answer stops it.
 * @param {(isReached: boolean) => void} listener
 * @returns {() => void} to stop
 */
export function onReached(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param {boolean} now */
function setReached(now) {
  if (now === isReached) return;
  isReached = now;
  listeners.forEach((listener) => listener(now));
}

/** @type {Timers} */
const clockTimers = { set: (run, delay) => setTimeout(run, delay), clear: (timer) => clearTimeout(Number(timer)) };

/**
 * Send a request, and send the same again if it fails, if it is not answered in time, or if a proxy says that no server has
 * answered. The answer comes with its body, which has to come within the deadline too; null if no attempt reaches a server.
 * @param {string} address
 * @param {RequestInit} sent
 * @param {Timers} [timers]
 * @returns {Promise<{response: Response, text: string}|null>}
 */
export async function fetchRepeatedly(address, sent, timers = clockTimers) {
  for (const { deadlineMilliseconds, pauseMilliseconds } of ATTEMPTS) {
    const ending = new AbortController();
    const timer = timers.set(() => ending.abort(), deadlineMilliseconds);
    const answer = await fetchWhole(address, { ...sent, signal: ending.signal }).catch(() => null);
    timers.clear(timer);
    const isGateway = answer && GATEWAY_STATUSES.includes(answer.response.status)
      && !answer.response.headers.get("Content-Type")?.startsWith("application/json");
    setReached(answer !== null && !isGateway);
    if (answer && (!isGateway || pauseMilliseconds === null)) return answer;
    if (pauseMilliseconds === null || globalThis.navigator?.onLine === false) break;
    await new Promise((resolve) => timers.set(() => resolve(undefined), pauseMilliseconds));
  }
  return null;
}

/** @param {string} address @param {RequestInit} sent */
async function fetchWhole(address, sent) {
  const sentAt = Date.now();
  const response = await fetch(address, sent);
  setServerClock(response.headers.get("Date"), sentAt, Date.now());
  return { response, text: await response.text() };
}
