// Requests that no server has answered are sent again, a POST with the same id.
import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { claimName, Refusal, openRace, readCurrentPlayer } from "../../../clients/web/js/net/api.js";

const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

/** Answer requests in turn with these, and return what was sent. */
function answerWith(...answers) {
  const sent = [];
  globalThis.fetch = async (address, request) => {
    sent.push({ address, ...request });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return sent;
}

test.before(() => Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true }));

test("a POST that a killed node left behind is sent again with the same id", async (context) => {
  context.mock.method(globalThis, "setTimeout", (resolve) => resolve());
  const sent = answerWith(new Response("<h1>Bad Gateway</h1>", { status: 502 }), new TypeError("reset"), json({ race: "r" }));
  assert.equal((await openRace({ rules: "klondike", nonce: "n" })).race, "r");
  const ids = new Set(sent.map((request) => request.headers["Idempotency-Key"]));
  assert.equal(sent.length, 3);
  assert.equal(ids.size, 1);
  assert.match([...ids][0], /^[a-z2-7]{16}$/);
});

test("two POSTs have different ids, and reading has none", async () => {
  const sent = answerWith(json({ race: "1" }), json({ race: "2" }), json({}));
  await openRace({ rules: "klondike", nonce: "n" });
  await openRace({ rules: "klondike", nonce: "n" });
  await readCurrentPlayer();
  const [first, second, reading] = sent.map((request) => request.headers["Idempotency-Key"]);
  assert.notEqual(first, second);
  assert.equal(reading, undefined);
});

test("a refusal of the server itself is not sent again, whatever its status", async () => {
  const sent = answerWith(json({ code: "unavailable", message: "Not now.", retry_after: 1 }, 503));
  await assert.rejects(openRace({ rules: "klondike", nonce: "n" }), (error) => error.code === "unavailable");
  assert.equal(sent.length, 1);
});

test("a claim of a name whose answer was lost ends signed in, or with the refusal of the claim", async (context) => {
  context.mock.method(globalThis, "setTimeout", (resolve) => resolve());
  const ended = { code: "unauthorized", message: "Sign in first, or play as a guest." };
  const wrong = { code: "bad_credentials", message: "No player has this name and password." };
  const sent = answerWith(new TypeError("reset"), json(ended, 401), json({ player: { name: "Ada" } }));
  assert.equal((await claimName("Ada", "eight red queens")).name, "Ada");
  assert.deepEqual(sent.map(({ address }) => address), ["/api/v1/account", "/api/v1/account", "/api/v1/session"]);
  answerWith(json(ended, 401), json(wrong, 401));
  await assert.rejects(claimName("Ada", "mistyped"), (error) => error.code === "unauthorized");
  const taken = answerWith(json({ code: "name_taken", message: "Taken." }, 409));
  await assert.rejects(claimName("Ada", "eight red queens"), (error) => error.code === "name_taken");
  assert.equal(taken.length, 1);
});

test("when nothing answers, the refusal says so", async (context) => {
  context.mock.method(globalThis, "setTimeout", (resolve) => resolve());
  const sent = answerWith(...Array.from({ length: 9 }, () => new TypeError("reset")));
  await assert.rejects(readCurrentPlayer(), (error) => error instanceof Refusal && error.code === "offline");
  assert.equal(sent.length, 3);
});
