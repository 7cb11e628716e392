/**
 * The line to the server as the page shows it: what the connection and the requests have found out, and what the browser says of
 * its network and of having been away.
 *
 * @typedef {"good"|"late"|"not_connected"} Line
 * @import { Connection } from "./connection.js"
 */
import { onReached } from "./repeated_fetch.js";

/**
 * Follow the line as long as the page is open.
 * @param {Connection} connection
 * @param {Object} ways
 * @param {(line: Line) => void} ways.show called when the line has changed
 * @param {() => void} ways.lookAgain called when the device is back: the network is there again, or the page is seen again
 * @param {EventTarget} [window]
 * @param {EventTarget & {visibilityState: string}} [document]
 */
export function followLine(connection, { show, lookAgain }, window = globalThis.window, document = globalThis.document) {
  const found = { isOnline: true, isOpen: true, isReached: true, isLate: false };
  /** @type {Line} */
  let shown = "good";

  /** @param {Partial<typeof found>} news */
  function update(news) {
    Object.assign(found, news);
    const isThere = found.isOnline && found.isOpen && found.isReached;
    const now = !isThere ? "not_connected" : found.isLate ? "late" : "good";
    if (now !== shown) show(now);
    shown = now;
  }
  function comeBack() {
    connection.check();
    lookAgain();
  }

  // Whatever is heard from the server is better proof than the browser, which calls a machine without network offline.
  const hear = (/** @type {boolean} */ isHeard) => {
    const wasReached = found.isReached;
    update(isHeard ? { isReached: true, isOnline: true } : { isReached: false });
    if (isHeard && !wasReached) lookAgain();
    else if (!isHeard) connection.start(); // it goes on trying, also on a page that needs no connection
  };
  connection.onStateChange((isOpen) => {
    update({ isOpen });
    if (isOpen) hear(true);
  });
  connection.onLateAnswer((isLate) => update({ isLate }));
  onReached(hear);
  window.addEventListener("offline", () => {
    update({ isOnline: false });
    connection.lose();
  });
  window.addEventListener("online", () => {
    update({ isOnline: true });
    comeBack();
  });
  window.addEventListener("pageshow", (event) => {
    if ("persisted" in event && event.persisted) comeBack();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") comeBack();
  });
}
