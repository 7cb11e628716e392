import assert from "node:assert/strict";
import { test } from "node:test";

import { Spectator } from "../../../clients/web/js/watch/spectator.js";

const card = { id: "g", started_at: 0 };
const dealt = { game: card, sight: "board", version: 1, piles: { stock: [9], waste: [] }, score: 0, home: 0, moves: 0, status: "playing" };
const played = (version) => ({ type: "move_played", game: "g", version, move: "deal", piles: { waste: Array(version - 1).fill("AS") }, score: 0, home: 0, moves: version - 1, at: version });
const view = (version) => ({ type: "view", ...dealt, version, piles: { ...dealt.piles, waste: Array(version - 1).fill("AS") }, moves: version - 1 });

/** A watched game. Its board remembers how many cards lie on the waste; `past` is the answer to a request for the replay. */
function watched() {
  const about = { drawn: [], seen: [], requested: 0, past: null };
  const connection = {
    subscribe(_game, subscriber) {
      about.tell = subscriber.receive;
      return () => {};
    },
    requestView: () => { about.requested += 1; },
  };
  about.spectator = new Spectator({
    connection, game: "g", board: () => ({ show: (piles) => about.drawn.push(piles.waste.length), close: () => {} }),
    changed: (seen) => about.seen.push(seen), failed: (refusal) => { throw refusal; }, read: () => about.past,
  });
  return about;
}

const replay = (version) => Promise.resolve({ dealt, messages: Array.from({ length: version - 1 }, (_, index) => played(index + 2)) });

test("a game is shown live until the spectator steps back, and then the table stays while the game goes on", async () => {
  const about = watched();
  about.tell(view(4));
  about.past = replay(4);
  await about.spectator.stepBy(-1);
  about.tell(played(5));
  assert.deepEqual(about.drawn, [3, 2, 2]);
  assert.deepEqual([about.seen.at(-1).at, about.seen.at(-1).last], [2, 4]);
  about.spectator.goLive();
  assert.equal(about.drawn.at(-1), 4);
});

test("stepping past the last move is live again", async () => {
  const about = watched();
  about.tell(view(3));
  about.past = replay(3);
  await about.spectator.stepBy(-2);
  await about.spectator.stepBy(1);
  assert.equal(about.seen.at(-1).step.session.piles.waste.length, 1);
  await about.spectator.stepBy(1);
  assert.equal(about.seen.at(-1).step, null);
});

test("moves played while the past is loading are part of it", async () => {
  const about = watched();
  about.tell(view(3));
  let arrive;
  about.past = new Promise((settle) => { arrive = settle; });
  const moving = about.spectator.stepBy(-1);
  about.tell(played(4));
  arrive(await replay(3));
  await moving;
  assert.deepEqual([about.seen.at(-1).at, about.seen.at(-1).last], [2, 3]);
});

test("after a missing message a fresh view is requested, and the past is loaded again", async () => {
  const about = watched();
  about.tell(view(3));
  about.past = replay(3);
  await about.spectator.goTo(1);
  about.tell(played(6));
  assert.equal(about.requested, 1);
  about.past = replay(6);
  about.tell(view(6));
  await about.past;
  await Promise.resolve();
  assert.deepEqual([about.seen.at(-1).at, about.seen.at(-1).last], [1, 5]);
});

test("a game whose cards may not be seen draws nothing and has no past", async () => {
  const about = watched();
  about.tell({ type: "view", ...dealt, sight: "meter", piles: undefined });
  await about.spectator.stepBy(-1);
  assert.deepEqual([about.drawn, about.seen.at(-1).step], [[], null]);
});
