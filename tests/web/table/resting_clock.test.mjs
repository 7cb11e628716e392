/** The clock that rests while the rules are open. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { makeRestingClock } from "../../../clients/web/js/table/resting_clock.js";

function machine() {
  const kept = new Map();
  const made = { time: 1000, now: () => made.time, storage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) } };
  return made;
}

test("the time of a rest grows while it goes on, and stays afterwards", () => {
  const here = machine();
  const clock = makeRestingClock("g", here);
  clock.rest(true);
  here.time += 400;
  assert.equal(clock.rested(), 400);
  clock.rest(true);
  clock.rest(false);
  here.time += 5000;
  assert.equal(clock.rested(), 400);
});

test("rests add up, also after the page was loaded again, for each game", () => {
  const here = machine();
  for (const pause of [300, 200]) {
    const clock = makeRestingClock("g", here);
    clock.rest(true);
    here.time += pause;
    clock.rest(false);
  }
  assert.equal(makeRestingClock("g", here).rested(), 500);
  assert.equal(makeRestingClock("other", here).rested(), 0);
});
