import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { cardWords, findRival, readWishes } from "../../../clients/web/js/evening/match_panel.js";
import { tableWords, titleWords } from "../../../clients/web/js/evening/evening_words.js";

const ADA = { id: "a", name: "Ada" };
const BOB = { id: "b", name: "Bob" };
const FIELDS = { against: "player", opponent: " Bob ", when: "2026-11-20T20:00", deals: "5", level: "gentle", minutes: "3" };

test("a challenge has an opponent and an appointment, and who plays whoever waits has neither", () => {
  const at = new Date("2026-11-20T20:00").getTime();
  assert.deepEqual(readWishes(FIELDS), { against: "player", opponent: "Bob", starts_at: at, deals: 5, level: "gentle", seconds: 180 });
  const { opponent, starts_at: startsAt } = readWishes({ ...FIELDS, against: "anyone" });
  assert.deepEqual([opponent, startsAt], [undefined, undefined]);
});

test("a match that waits says for whom", () => {
  const card = { id: "m", challenger: ADA, opponent: BOB, state: "waiting", starts_at: 0, ends_at: 1 };
  assert.equal(cardWords(card, "b"), "challenges you");
  assert.equal(cardWords(card, "a"), "not accepted yet");
  assert.equal(cardWords({ ...card, opponent: undefined }, "b"), "waits for somebody");
});

test("a match is called by who plays it, though the opponent is not known yet", () => {
  assert.equal(titleWords({ title: "Match", leader: ADA, match: { opponent: BOB } }), "Ada – Bob");
  assert.equal(titleWords({ title: "Match", leader: ADA, match: {} }), "Challenge by Ada");
  assert.equal(tableWords({ title: "Match", leader: ADA, match: { opponent: BOB } }, ADA.id), "Against Bob");
  assert.equal(tableWords({ title: "Match", leader: ADA, match: { opponent: BOB } }, BOB.id), "Against Ada");
  assert.equal(tableWords({ title: "Thursday", leader: ADA }, ADA.id), "Thursday");
  assert.equal(titleWords({ title: "Thursday", leader: ADA }), "Thursday");
});

test("after a match each of the two may challenge the other again, unless one of them is a guest", () => {
  const [ada, bob, guest] = [{ id: "ada", name: "Ada" }, { id: "bob", name: "Bob" }, { id: "eve", name: "Eve", guest: true }];
  const rivals = (opponent, ...readers) => readers.map((reader) => findRival({ leader: ada, match: { opponent } }, reader)?.name);
  assert.deepEqual(rivals(bob, ada, bob, guest, null), ["Bob", "Ada", undefined, undefined]);
  assert.deepEqual(rivals(guest, ada, guest), [undefined, undefined]);
});
