import assert from "node:assert/strict";
import { test } from "node:test";

import { CommandQueue } from "../../../clients/web/js/table/command_queue.js";

/** A queue whose server answers when the test says so. */
function makeServer() {
  const sent = [];
  const refused = [];
  const waits = [];
  const here = { sent, refused, waits, open: true };
  here.queue = new CommandQueue({
    send: (command) => new Promise((settle, fail) => sent.push({ command, settle, fail })),
    open: () => here.open,
    changed: () => {},
    refused: (refusal, command) => refused.push([refusal.code, command]),
    later: (run, delay) => waits.push({ run, delay }),
  });
  return here;
}
const settled = () => new Promise((done) => { setImmediate(done); });

test("a command is sent after the answer to the command before it", async () => {
  const { queue, sent } = makeServer();
  for (const command of ["one", "two"]) queue.add(command);
  assert.deepEqual(sent.map(({ command }) => command), ["one"]);
  sent[0].settle();
  await settled();
  assert.deepEqual(sent.map(({ command }) => command), ["one", "two"]);
});

test("a refusal also drops the commands after the refused one", async () => {
  const { queue, sent, refused } = makeServer();
  for (const command of ["one", "two", "three"]) queue.add(command);
  sent[0].fail({ code: "illegal_move" });
  await settled();
  assert.deepEqual(refused, [["illegal_move", "one"]]);
  assert.equal(queue.busy, false);
  assert.equal(sent.length, 1);
});

test("a command refused by the rate limit is sent again later, and none is lost", async () => {
  const { queue, sent, waits, refused } = makeServer();
  for (const command of ["one", "two"]) queue.add(command);
  sent[0].fail({ code: "rate_limited", retryAfter: 2 });
  await settled();
  assert.deepEqual([waits[0].delay, refused.length, queue.unapplied], [2000, 0, ["one", "two"]]);
  waits[0].run();
  assert.deepEqual(sent.map(({ command }) => command), ["one", "one"]);
});

test("a command whose result is already shown is not predicted a second time", async () => {
  const { queue, sent } = makeServer();
  for (const command of ["one", "two"]) queue.add(command);
  queue.markFirstApplied();
  assert.deepEqual(queue.unapplied, ["two"]);
  sent[0].settle();
  await settled();
  assert.deepEqual(queue.unapplied, ["two"]);
});

test("when nothing may be played any more the queue is emptied", async () => {
  const here = makeServer();
  for (const command of ["one", "two"]) here.queue.add(command);
  here.open = false;
  here.sent[0].settle();
  await settled();
  assert.deepEqual([here.sent.length, here.queue.busy], [1, false]);
});

test("a full queue takes no more commands", () => {
  const { queue } = makeServer();
  const kept = Array.from({ length: 20 }, (_, command) => queue.add(command));
  assert.equal(kept.filter(Boolean).length, 16);
});
