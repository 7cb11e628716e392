import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { PositionSequence } from "../../../clients/web/js/board/position_sequence.js";

function begun(stages) {
  mock.timers.enable({ apis: ["setTimeout"] });
  const seen = [];
  const sequence = new PositionSequence({
    draw: (piles) => seen.push(piles), gather: (piles) => seen.push(`gather ${piles}`), busy: (running) => seen.push(running ? "busy" : "done"),
  });
  sequence.show(stages);
  return { sequence, seen };
}

test("the first position is shown at once and the others one after the other", () => {
  const { sequence, seen } = begun([{ piles: 1 }, { piles: 2 }, { piles: 3 }]);
  assert.deepEqual(seen, ["busy", 1]);
  mock.timers.tick(110);
  assert.deepEqual(seen, ["busy", 1, 2]);
  mock.timers.tick(110);
  assert.deepEqual(seen, ["busy", 1, 2, 3, "done"]);
  assert.equal(sequence.running, false);
  mock.timers.reset();
});

test("cards are gathered before they are laid out again", () => {
  const { seen } = begun([{ piles: 1, gathered: ["t.0", "t.1"] }]);
  assert.deepEqual(seen, ["busy", "gather t.0,t.1"]);
  mock.timers.tick(400);
  assert.deepEqual(seen.slice(2), [1, "done"]);
  mock.timers.reset();
});

test("anything else that is drawn ends the sequence", () => {
  const { sequence, seen } = begun([{ piles: 1 }, { piles: 2 }]);
  sequence.stop();
  mock.timers.tick(5000);
  assert.deepEqual(seen, ["busy", 1, "done"]);
  mock.timers.reset();
});

test("a long sequence takes no longer than the limit", () => {
  const { sequence } = begun(Array.from({ length: 16 }, (_, piles) => ({ piles })));
  for (let time = 0; time < 900; time += 1) mock.timers.tick(1);
  assert.equal(sequence.running, false);
  mock.timers.reset();
});
