import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { comparePace, paceAt } from "../../../clients/web/js/race/pace.js";
import { racersInOrder, timeLimitWords, outcomeWords, remainingMilliseconds, racerOf } from "../../../clients/web/js/race/race_state.js";

const racer = (id, meter, rank) => ({ player: { id }, meter, rank });
const meter = (home, score, status = "playing") => ({ home, score, moves: 5, status, milliseconds: 61000 });
const names = (race) => racersInOrder(race).map(({ player }) => player.id);

test("racers stand in order of cards home, then moves, and those who have won before all", () => {
  const racers = [racer("a", meter(2, 9)), racer("b", { ...meter(4, 9), moves: 6 }), racer("c", meter(4, 1)), racer("d", meter(3, 3, "won"))];
  assert.deepEqual(names({ racers }), ["d", "c", "b", "a"]);
});

test("before the cards are dealt racers are in the order in which they joined", () => {
  assert.deepEqual(names({ racers: [racer("b"), racer("a")] }), ["b", "a"]);
});

test("at the end the server's ranks decide the order", () => {
  assert.deepEqual(names({ racers: [racer("a", meter(9, 9), 2), racer("b", meter(1, 1), 1)] }), ["b", "a"]);
});

test("a race's clock runs to its start, then to its end", () => {
  const race = { starts_at: 5000, ends_at: 65000 };
  assert.equal(remainingMilliseconds({ ...race, state: "countdown" }, 2000), 3000);
  assert.equal(remainingMilliseconds({ ...race, state: "running" }, 70000), 0);
  assert.equal(remainingMilliseconds({ ...race, state: "open" }, 0), null);
});

test("nobody is no racer", () => {
  const race = { racers: [racer("a")] };
  assert.equal(racerOf(race, null), undefined);
  assert.equal(racerOf(race, { id: "a" }).player.id, "a");
});

test("time limits and outcomes have texts", () => {
  assert.deepEqual([600, 90, 60].map(timeLimitWords), ["10 minutes", "90 seconds", "1 minute"]);
  assert.equal(outcomeWords(racer("a", meter(1, 7, "out_of_time"))), "1 card home, 5 moves, time was up after 1:01");
});

const POINTS = [[0, 0, 0], [1000, 1, 10], [2500, 3, 30], [4000, 3, 25]];

test("a recorded pace is where the run was at a time, and over at its end", () => {
  assert.deepEqual(paceAt(POINTS, 0), { home: 0, score: 0, over: false });
  assert.deepEqual(paceAt(POINTS, 2499), { home: 1, score: 10, over: false });
  assert.deepEqual(paceAt(POINTS, 2500), { home: 3, score: 30, over: false });
  assert.deepEqual(paceAt(POINTS, 9999), { home: 3, score: 25, over: true });
});

test("whoever has more cards home is ahead, and with equal cards whoever has the higher score", () => {
  assert.deepEqual(comparePace({ home: 3, score: 0 }, { home: 1, score: 9 }), { side: "ahead", words: "2 cards ahead" });
  assert.deepEqual(comparePace({ home: 1, score: 4 }, { home: 1, score: 5 }), { side: "behind", words: "1 point behind" });
  assert.equal(comparePace({ home: 1, score: 5 }, { home: 1, score: 5 }).words, "Tied");
});
