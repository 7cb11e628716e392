import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { replaySteps } from "../../../clients/web/js/game/replay_steps.js";
import { elapsedMilliseconds, isOver, applyMessage, UNKNOWN_SESSION } from "../../../clients/web/js/game/session.js";

const VIEW = {
  type: "view", game: { id: "g", rules: "klondike", status: "playing" }, sight: "seat", version: 4,
  piles: { stock: [2], waste: ["7H"], "tableau.0": [1, "8S"], "foundation.0": [] }, score: 0, home: 0, moves: 3,
  status: "playing", legal: ["waste/tableau.0", "deal"], can_take_back: true, watchers: 2, clock: 5000,
};
const PLAYED = {
  type: "move_played", game: "g", version: 5, move: "waste/tableau.0", effects: ["moved waste tableau.0 1"],
  piles: { waste: [], "tableau.0": [1, "8S", "7H"] }, counters: {}, score: 1, home: 0, moves: 4, status: "playing",
  legal: ["deal"], can_take_back: true, at: 9,
};
const begun = () => applyMessage(UNKNOWN_SESSION, VIEW, 100000);

test("a view gives piles with an entry for each card, and parsed moves", () => {
  const session = begun();
  assert.deepEqual(session.piles["tableau.0"], ["--", "8S"]);
  assert.deepEqual(session.moves.map(({ kind }) => kind), ["transfer", "verb"]);
});

test("the clock runs from the deal", () => {
  assert.equal(elapsedMilliseconds(begun(), 103000), 8000);
});

test("a move changes only the piles that it names", () => {
  const session = applyMessage(begun(), PLAYED, 100001);
  assert.deepEqual(session.piles["tableau.0"], ["--", "8S", "7H"]);
  assert.deepEqual(session.piles.stock, ["--", "--"]);
  assert.equal(session.version, 5);
});

test("a message that arrives twice changes nothing", () => {
  const once = applyMessage(begun(), PLAYED, 0);
  assert.equal(applyMessage(once, PLAYED, 0), once);
});

test("a gap in the versions means that a message is lost", () => {
  assert.equal(applyMessage(begun(), { ...PLAYED, version: 6 }, 0).lost, true);
});

test("an event that the player may not see counts as a version", () => {
  const session = applyMessage(begun(), { type: "advanced", game: "g", version: 5 }, 0);
  assert.equal(session.version, 5);
  assert.equal(session.lost, false);
});

test("an unknown message counts as a version", () => {
  assert.equal(applyMessage(begun(), { type: "from_the_future", game: "g", version: 5 }, 0).version, 5);
});

test("a finished game stops its clock and allows no move", () => {
  const session = applyMessage(begun(), {
    type: "game_finished", game: "g", version: 5, result: "resigned", score: 3, moves: 3, milliseconds: 777,
  }, 0);
  assert.equal(isOver(session), true);
  assert.equal(elapsedMilliseconds(session, 999999), 777);
  assert.deepEqual(session.moves, []);
});

test("presence changes only the number of watchers", () => {
  assert.deepEqual(applyMessage(begun(), { type: "presence", game: "g", watchers: 9 }, 0), { ...begun(), watchers: 9 });
});

test("a replay has a position for the deal, each move and each move taken back", () => {
  const back = { ...PLAYED, type: "move_taken_back", version: 6, move: undefined, piles: { waste: ["7H"], "tableau.0": [1, "8S"] } };
  const finished = { type: "game_finished", game: "g", version: 7, result: "lost", score: 0, moves: 4, milliseconds: 5 };
  const steps = replaySteps({ dealt: VIEW, messages: [PLAYED, back, finished] });
  assert.deepEqual(steps.map(({ kind }) => kind), ["deal", "move", "back"]);
  assert.equal(steps[2].session.status, "lost");
});

test("whether one may ask if the game can be won is as the view said until the next view", () => {
  const asked = applyMessage(UNKNOWN_SESSION, { ...VIEW, may_ask_if_winnable: true }, 0);
  assert.equal(applyMessage(asked, PLAYED, 0).mayAskIfWinnable, true);
  assert.equal(applyMessage(asked, VIEW, 0).mayAskIfWinnable, false);
});

test("a run is not ranked after its player has asked to see the deal", () => {
  const before = { ...UNKNOWN_SESSION, game: { id: "g", ranked: true }, version: 4 };
  const after = applyMessage(before, { type: "challenge_spoiled", game: "g", version: 5, can_take_back: true }, 0);
  assert.deepEqual([after.game.ranked, after.version, after.canTakeBack], [false, 5, true]);
});

test("the offer to finish holds until the next message about a move or the end", () => {
  const offered = applyMessage(begun(), { ...PLAYED, finish: "deal" }, 0);
  assert.equal(offered.finish, "deal");
  assert.equal(applyMessage(offered, { ...PLAYED, version: PLAYED.version + 1 }, 0).finish, null);
  const end = { type: "game_finished", game: "g", version: PLAYED.version + 1, result: "lost", score: 0, moves: 4, milliseconds: 5 };
  assert.equal(applyMessage(offered, end, 0).finish, null);
  assert.equal(applyMessage(UNKNOWN_SESSION, { ...VIEW, finish: "deal" }, 0).finish, "deal");
});
