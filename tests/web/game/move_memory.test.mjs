/** What is remembered of earlier moves. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { MoveMemory } from "../../../clients/web/js/game/move_memory.js";
import { UNKNOWN_SESSION } from "../../../clients/web/js/game/session.js";

const at = (version) => ({ ...UNKNOWN_SESSION, version, piles: { stock: Array(9 - version).fill("--"), waste: [] } });
const deal = (card) => ({ type: "move_played", move: "deal", effects: [`moved stock waste ${card}`] });

test("the positions before moves are kept until they are taken back", () => {
  const memory = new MoveMemory();
  memory.add(at(1), deal(1), at(2));
  memory.add(at(2), deal(1), at(3));
  memory.add(at(3), { type: "move_taken_back" }, at(4));
  assert.deepEqual(memory.positions, [at(1).piles]);
  memory.add(at(4), { type: "view" }, at(4));
  assert.deepEqual(memory.positions, []);
});

test("a verb is known once it has done the same thing twice in a row", () => {
  const memory = new MoveMemory();
  memory.add(at(1), deal(1), at(2));
  assert.equal(memory.verbs.size, 0);
  memory.add(at(2), deal(1), at(3));
  assert.deepEqual(memory.verbs.get("deal"), ["moved stock waste 1"]);
  memory.add(at(3), deal(3), at(4));
  assert.equal(memory.verbs.size, 0);
});
