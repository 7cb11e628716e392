/** A page that shows a day is shown again when the day was opened or closed. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { followDay } from "../../../clients/web/js/daily/day_changes.js";

/** Follow an open day; what its page did, and a function that hands it a message. */
function followed(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.location = { pathname: "/daily/2026-11-20" };
  const done = { shown: [], gone: [], stopped: false, matches: 0 };
  let receive;
  const app = {
    go: (address) => done.gone.push(address),
    connection: { watchDay: (_, listener) => { receive = listener; return () => { done.stopped = true; }; } },
  };
  const stop = followDay(app, { day: "2026-11-20", state: "open" }, (games) => done.shown.push(...games), () => { done.matches += 1; });
  return { done, stop, receive: (games, state, others) => receive(games, { state, ...others }) };
}

test("meters are handed on, and a close shows the page again, once", (t) => {
  const { done, receive } = followed(t);
  receive(["ann’s"], "open");
  receive(["bob’s"], undefined);
  t.mock.timers.tick(10_000);
  assert.deepEqual(done, { shown: ["ann’s", "bob’s"], gone: [], stopped: false, matches: 0 });
  receive([], "closed");
  receive([], "closed");
  t.mock.timers.tick(10_000);
  assert.deepEqual(done.gone, ["/daily/2026-11-20"]);
});

test("a page that was left meanwhile is not shown again", (t) => {
  const { done, stop, receive } = followed(t);
  receive([], "closed");
  stop();
  t.mock.timers.tick(10_000);
  assert.deepEqual([done.gone, done.stopped], [[], true]);
});

test("a page learns that a match of its reader has changed, and is not shown again", (t) => {
  const { done, receive } = followed(t);
  receive([], undefined, { matches_changed: true });
  t.mock.timers.tick(10_000);
  assert.deepEqual([done.matches, done.gone], [1, []]);
});
