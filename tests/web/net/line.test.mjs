// What the page is told of its line, by the connection, by requests and by the browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { followLine } from "../../../clients/web/js/net/line.js";
import { fetchRepeatedly } from "../../../clients/web/js/net/repeated_fetch.js";

/** A line whose connection and browser a test speaks for; `heard` is all that the page was told and all that was asked of the connection. */
function follow() {
  const heard = [];
  const say = {};
  const connection = {
    onStateChange: (listener) => { say.open = listener; },
    onLateAnswer: (listener) => { say.late = listener; },
    check: () => heard.push("check"),
    lose: () => heard.push("lose"),
    start: () => heard.push("start"),
  };
  const [window, document] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: "visible" })];
  followLine(connection, { show: (line) => heard.push(line), lookAgain: () => heard.push("look") }, window, document);
  return { heard, say, window, document };
}

test("a lost network is told at once, and when it is back the connection is tested and the page looks again", () => {
  const { heard, window } = follow();
  window.dispatchEvent(new Event("offline"));
  assert.deepEqual(heard.splice(0), ["not_connected", "lose"]);
  window.dispatchEvent(new Event("online"));
  assert.deepEqual(heard, ["good", "check", "look"]);
});

test("a connection that opens without a network, as on one machine, is believed", () => {
  const { heard, say, window } = follow();
  window.dispatchEvent(new Event("offline"));
  say.open(true);
  assert.deepEqual(heard, ["not_connected", "lose", "good"]);
});

test("a page that is seen again or comes out of the browser's cache looks again, and one that is left or new does not", () => {
  const { heard, window, document } = follow();
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(heard.splice(0), ["check", "look"]);
  document.visibilityState = "hidden";
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  assert.deepEqual(heard, []);
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.deepEqual(heard, ["check", "look"]);
});

test("a late answer is told, a closed connection before it", () => {
  const { heard, say } = follow();
  say.late(true);
  say.open(false);
  say.late(false);
  say.open(true);
  assert.deepEqual(heard, ["late", "not_connected", "good"]);
});

test("a request that reaches nobody is told, the connection goes on trying, and the page looks again when it opens", async () => {
  const { heard, say } = follow();
  const timers = { set: (run) => setImmediate(run), clear: clearImmediate };
  globalThis.fetch = () => Promise.reject(new TypeError("reset"));
  await fetchRepeatedly("/a", {}, timers);
  assert.deepEqual(heard.splice(0), ["not_connected", "start"]);
  say.open(true);
  assert.deepEqual(heard, ["good", "look"]);
});
