import assert from "node:assert/strict";
import { test } from "node:test";

import { Wishes } from "../../../clients/web/js/table/command_queue.js";

/** A server in memory: answers when the test says so. */
function desk() {
  const sent = [];
  const refused = [];
  const waits = [];
  const here = { sent, refused, waits, open: true };
  here.wishes = new Wishes({
    send: (wish) => new Promise((settle, fail) => sent.push({ wish, settle, fail })),
    open: () => here.open,
    changed: () => {},
    refused: (refusal, wish) => refused.push([refusal.code, wish]),
    later: (run, delay) => waits.push({ run, delay }),
  });
  return here;
}
const settled = () => new Promise((done) => { setImmediate(done); });

test("a wish waits for the answer to the one before", async () => {
  const { wishes, sent } = desk();
  for (const wish of ["one", "two"]) wishes.add(wish);
  assert.deepEqual(sent.map(({ wish }) => wish), ["one"]);
  sent[0].settle();
  await settled();
  assert.deepEqual(sent.map(({ wish }) => wish), ["one", "two"]);
});

test("what is refused takes along what was wished after it", async () => {
  const { wishes, sent, refused } = desk();
  for (const wish of ["one", "two", "three"]) wishes.add(wish);
  sent[0].fail({ code: "illegal_move" });
  await settled();
  assert.deepEqual(refused, [["illegal_move", "one"]]);
  assert.equal(wishes.busy, false);
  assert.equal(sent.length, 1);
});

test("who wishes too fast waits, and loses nothing", async () => {
  const { wishes, sent, waits, refused } = desk();
  for (const wish of ["one", "two"]) wishes.add(wish);
  sent[0].fail({ code: "rate_limited", retryAfter: 2 });
  await settled();
  assert.deepEqual([waits[0].delay, refused.length, wishes.unseen], [2000, 0, ["one", "two"]]);
  waits[0].run();
  assert.deepEqual(sent.map(({ wish }) => wish), ["one", "one"]);
});

test("a wish whose outcome has been told is not foreseen a second time", async () => {
  const { wishes, sent } = desk();
  for (const wish of ["one", "two"]) wishes.add(wish);
  wishes.heard();
  assert.deepEqual(wishes.unseen, ["two"]);
  sent[0].settle();
  await settled();
  assert.deepEqual(wishes.unseen, ["two"]);
});

test("when nothing may be played any more the wishes end", async () => {
  const here = desk();
  for (const wish of ["one", "two"]) here.wishes.add(wish);
  here.open = false;
  here.sent[0].settle();
  await settled();
  assert.deepEqual([here.sent.length, here.wishes.busy], [1, false]);
});

test("of too many wishes the last are not kept", () => {
  const { wishes } = desk();
  const kept = Array.from({ length: 20 }, (_, wish) => wishes.add(wish));
  assert.equal(kept.filter(Boolean).length, 16);
});
