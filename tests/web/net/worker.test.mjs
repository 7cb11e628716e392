// The service worker, in a context of its own with a network and timers in memory.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";

const source = await readFile(new URL("../../../clients/web/worker.js", import.meta.url), "utf8");

/** The worker with this network; `timers` are those that it has set, and not cleared. @param {typeof fetch} network */
function start(network) {
  const [listeners, timers] = [{}, new Map()];
  const context = {
    URL, fetch: network, location: { origin: "https://house" }, DIGEST: "1", KEPT: ["/offline.html"],
    caches: { match: async (wanted) => `kept ${wanted}` },
    addEventListener: (name, listener) => { listeners[name] = listener; },
    setTimeout: (run, delay) => {
      timers.set(timers.size + 1, { run, delay });
      return timers.size;
    },
    clearTimeout: (timer) => timers.delete(timer),
  };
  vm.runInNewContext(source, Object.assign(context, { self: context }));
  const open = () => new Promise((settle) => listeners.fetch({
    request: { url: "https://house/calendar", mode: "navigate", method: "GET" }, respondWith: settle,
  }));
  return { open, timers };
}

test("a page whose answer does not begin is replaced by the page for no network after ten seconds", async () => {
  const { open, timers } = start(() => new Promise(() => {}));
  const page = open();
  const [{ run, delay }] = timers.values();
  run();
  assert.equal(delay, 10_000);
  assert.equal(await page, "kept /offline.html");
});

test("a page whose answer has begun may take any time", async () => {
  const { open, timers } = start(async () => "the page");
  assert.equal(await open(), "the page");
  assert.equal(timers.size, 0);
});
