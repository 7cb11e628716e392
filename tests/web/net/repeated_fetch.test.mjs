// A request that hangs has a deadline, and is sent again as it was.
import assert from "node:assert/strict";
import { test } from "node:test";

import { fetchRepeatedly, onReached } from "../../../clients/web/js/net/repeated_fetch.js";

/** Timers that run at once, in order, and note the delays: those of `hanging` requests, and the pauses. */
function makeTimers() {
  const delays = [];
  return { delays, set: (run, delay) => { delays.push(delay); setImmediate(run); return delays.length; }, clear() {} };
}

/** Answer requests in turn with these; `null` is a request that hangs until it is given up. */
function answerWith(...answers) {
  const sent = [];
  globalThis.fetch = (address, request) => {
    sent.push({ address, ...request });
    const answer = answers.shift();
    if (answer) return Promise.resolve(answer);
    return new Promise((_, fail) => request.signal.addEventListener("abort", () => fail(request.signal.reason)));
  };
  return sent;
}

test("a request that hangs is given up and sent again with the same id, with more time", async () => {
  const timers = makeTimers();
  const sent = answerWith(null, null, new Response("[]"));
  const told = [];
  const stop = onReached((isReached) => told.push(isReached));
  const { text } = await fetchRepeatedly("/a", { method: "POST", headers: { "Idempotency-Key": "k" } }, timers);
  stop();
  assert.equal(text, "[]");
  assert.deepEqual(sent.map(({ headers }) => headers["Idempotency-Key"]), ["k", "k", "k"]);
  assert.deepEqual(timers.delays, [8000, 300, 15_000, 1000, 30_000]);
  assert.deepEqual(told, [false, true]);
});

test("an answer whose body never ends is given up like one that never begins", async () => {
  const half = (request) => new Response(new ReadableStream({
    start(body) {
      body.enqueue(new TextEncoder().encode("["));
      request.signal.addEventListener("abort", () => body.error(request.signal.reason));
    },
  }));
  let count = 0;
  globalThis.fetch = async (_, request) => ((count += 1) === 1 ? half(request) : new Response("[]"));
  assert.equal((await fetchRepeatedly("/a", {}, makeTimers())).text, "[]");
  assert.equal(count, 2);
});

test("a request that hangs every time ends without an answer", async () => {
  const sent = answerWith(null, null, null);
  assert.equal(await fetchRepeatedly("/a", {}, makeTimers()), null);
  assert.equal(sent.length, 3);
});
