// The server's clock, read from the answers to requests on a device whose clock is wrong.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchRepeatedly } from "../../../clients/web/js/net/repeated_fetch.js";
import { serverNow } from "../../../clients/web/js/net/server_clock.js";

const NOON = Date.UTC(2026, 10, 20, 12);
const DAY = 86_400_000;

test("the time is the server's on a device that is days ahead or behind, and runs on", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: NOON });
  for (const wrong of [3 * DAY, -3 * DAY]) {
    t.mock.timers.setTime(NOON + wrong);
    globalThis.fetch = async () => new Response("{}", { headers: { Date: new Date(NOON).toUTCString() } });
    await fetchRepeatedly("/a", {});
    assert.equal(serverNow(), NOON + 500);
    t.mock.timers.setTime(NOON + wrong + 1000);
    assert.equal(serverNow(), NOON + 1500);
  }
});

test("an answer without a date, as a proxy may send it, changes nothing", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: NOON });
  const before = serverNow();
  globalThis.fetch = async () => new Response("{}");
  await fetchRepeatedly("/a", {});
  assert.equal(serverNow(), before);
});
