/**
 * A day that is opened or closed while a page shows it: the page is shown again, as the day is now.
 *
 * @import { Daily, Meter } from "wire"
 * @import { App } from "../main.js"
 */

/** All who look at a day hear of its close at the same moment: their pages ask again over so many milliseconds. */
const MAX_WAIT_MILLISECONDS = 3000;

/**
 * Receive the meters of a day, and show the page again once the state of the day is another one.
 * @param {App} app
 * @param {Pick<Daily, "day"|"state">} daily as the page shows it
 * @param {(games: Meter[]) => void} listener
 * @param {() => void} [onMatches] called when a match of the reader has changed
 * @returns {() => void} ends this
 */
export function followDay(app, { day, state: shown }, listener, onMatches = () => {}) {
  let timer = 0;
  const stop = app.connection.watchDay(day, (games, { state, matches_changed: haveMatchesChanged }) => {
    listener(games);
    if (haveMatchesChanged) onMatches();
    if (!state || state === shown || timer) return;
    timer = setTimeout(() => app.go(location.pathname, { replace: true }), Math.random() * MAX_WAIT_MILLISECONDS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
