import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { choicesAt, findings, firstWithPosition, lastWonBefore, stepVerdicts, stepWithVersion, stretches } from "../../../clients/web/js/analysis/verdicts.js";
import { choicesWords, progressWords, summaryWords } from "../../../clients/web/js/analysis/verdict_words.js";
import { replaySteps, waySteps } from "../../../clients/web/js/game/replay_steps.js";
import { stepWords } from "../../../clients/web/js/language/format.js";

const LETTERS = { W: "won", L: "lost", U: "unknown", "-": null };
const dealt = { game: { id: "g", rules: "klondike", started_at: 1000 }, sight: "board", version: 1, piles: { stock: [3], waste: [] }, score: 0, home: 0, moves: 0 };

/** A run with a step for each letter: its verdict. The result is that of the last event. */
function analysed(letters, { result = "resigned", losses = [], choices = [], ...own } = {}) {
  const messages = [...letters].slice(1).map((_, index) => (
    { type: "move_played", game: "g", version: index + 2, move: "deal", piles: {}, score: 0, home: 0, moves: index + 1, at: 2000 }));
  const end = { type: "game_finished", game: "g", version: letters.length + 1, result };
  const analysis = { game: "g", state: "done", solver: 1, nodes: 1200, verdicts: [...letters].map((letter) => LETTERS[letter]), losses, choices, ...own };
  return [analysis, replaySteps({ dealt, messages: [...messages, end] })];
}

const says = (letters, own) => summaryWords(...analysed(letters, own));

test("the move that lost is named with how many moves kept the win", () => {
  const choices = [{ version: 3, keeping: 2, losing: 5, unknown: 0 }];
  assert.equal(says("WWWLL", { losses: [4], choices }), "Could be won until move 2. Lost with move 3: 2 of 7 moves kept the win.");
  assert.equal(says("WWWLL", { losses: [4] }), "Could be won until move 2. Lost with move 3.");
  assert.equal(says("WLL", { losses: [2] }), "Lost with the first move.");
});

test("from a lost step one gets back to the last step before it that could still be won", () => {
  const back = (letters) => lastWonBefore(...analysed(letters), letters.length - 1);
  assert.deepEqual(["WWLWLL", "WWUL", "UUL", "L"].map(back), [3, 1, -1, -1]);
  assert.equal(lastWonBefore(...analysed("WWLW"), 2), 1);
});

test("moves that were not decided make the number of those that kept the win a lower bound", () => {
  assert.equal(choicesWords({ version: 3, keeping: 2, losing: 4, unknown: 1 }, "keep"), "at least 2 of 7 moves keep the win");
  assert.equal(choicesWords({ version: 3, keeping: 1, losing: 6, unknown: 0 }, "keep"), "1 of 7 moves keeps the win");
});

test("a game that was won could be won at every step, unless a losing move was taken back", () => {
  assert.equal(says("WWWW", { result: "won" }), "It could be won at every step, and it was.");
  assert.equal(says("WWLWW", { result: "won", losses: [3] }), "It was won in the end. Before that, 1 losing move was taken back:");
});

test("a game that was given up too early could still be won when it ended", () => {
  assert.equal(says("WWW"), "It could still be won when it ended.");
});

test("of several losses the last one counts, and those before it were taken back", () => {
  assert.equal(says("WLWWL", { losses: [2, 5] }), "Could be won until move 3. Lost with move 4. Before that, 1 losing move was taken back:");
});

test("a deal that cannot be won was not lost by a move", () => {
  assert.equal(says("LLL"), "This deal cannot be won, even by somebody who sees every card.");
});

test("what the search did not decide is said to be undecided", () => {
  assert.match(says("UUU"), /^The search did not decide whether this game could be won/);
  assert.match(says("UULL"), /^Lost from move 2 on at the latest/);
  assert.match(says("WWUULL"), /^Could be won until move 1, and was lost from move 4 on/);
  assert.match(says("WWUUU"), /^Could be won until move 1 at least/);
  assert.equal(says("WUUU"), "The deal could be won. After the first move, the search did not decide.");
});

test("until the analysis is done its place in the queue and then its progress are told", () => {
  assert.equal(progressWords(...analysed("----", { state: "waiting", ahead: 3 })), "Waiting: 3 analyses come before.");
  assert.equal(progressWords(...analysed("----", { state: "waiting", ahead: 0 })), "The analysis is next in the queue.");
  assert.equal(progressWords(...analysed("W--L", { state: "working" })), "Analysing: 2 of 4 positions are decided so far.");
  assert.equal(progressWords(...analysed("WWLL", { state: "working" })), "Counting the moves that keep the win: 1,200 positions searched.");
  assert.equal(progressWords(...analysed("WWLL")), "");
});

test("neighbouring steps with one verdict are one stretch", () => {
  assert.deepEqual(stretches(stepVerdicts(...analysed("WWUL-"))), [
    { verdict: "won", from: 0, count: 2 }, { verdict: "unknown", from: 2, count: 1 }, { verdict: "lost", from: 3, count: 1 },
    { verdict: null, from: 4, count: 1 },
  ]);
});

test("a verdict belongs to a version, also where an event without a move lies between two moves", () => {
  const [analysis] = analysed("WWWL", { losses: [4] });
  const move = (version) => ({ type: "move_played", game: "g", version, move: "deal", piles: {}, score: 0, home: 0, moves: 1, at: 2000 });
  const steps = replaySteps({ dealt, messages: [move(2), { type: "challenge_spoiled", game: "g", version: 3 }, move(4)] });
  assert.deepEqual(stepVerdicts(analysis, steps), ["won", "won", "lost"]);
  assert.deepEqual(findings(analysis, steps), { lastWon: 1, firstLost: 2, loss: 2, takenBack: [] });
  assert.deepEqual([1, 2, 3, 4, 9].map((version) => stepWithVersion(steps, version)), [0, 1, 1, 2, 2]);
});

test("a move that was taken back and played again leads to the same position, and to what is known of it", () => {
  const move = (version, text) => ({ type: "move_played", game: "g", version, move: text, piles: {}, score: 0, home: 0, moves: 1, at: 2000 });
  const back = (version) => ({ type: "move_taken_back", game: "g", version, piles: {}, score: 0, home: 0, moves: 0, at: 2000 });
  const messages = [move(2, "deal"), move(3, "redeal"), back(4), move(5, "redeal"), back(6), back(7), move(8, "deal")];
  const steps = replaySteps({ dealt, messages });
  assert.deepEqual(firstWithPosition(steps), [0, 1, 2, 1, 2, 1, 0, 1]);
  const kept = { version: 2, keeping: 1, losing: 2, unknown: 0 };
  const [analysis] = analysed("WWLWLWWW", { losses: [3], choices: [kept] });
  assert.deepEqual([choicesAt(analysis, steps, 3), choicesAt(analysis, steps, 7), choicesAt(analysis, steps, 2)], [kept, kept, undefined]);
  const lostAgain = replaySteps({ dealt, messages: messages.slice(0, 4) });
  assert.deepEqual(findings(analysed("WWLWL", { losses: [3] })[0], lostAgain), { lastWon: 3, firstLost: 4, loss: 4, takenBack: [2] });
});

test("a way to win begins at its position, changes the piles that it names, and is won at the end", () => {
  const [, [{ session }]] = analysed("W");
  const next = (move, piles, score) => ({ move, effects: [`moved stock waste 1`], piles, counters: {}, score, home: score });
  const way = waySteps(session, [next("deal", { stock: [2], waste: ["AS"] }, 0), next("waste/stock", { waste: [], stock: ["AS", 2] }, 1)]);
  assert.deepEqual(way.map((step) => [step.kind, step.session.piles.waste.length, step.session.score, step.session.status]),
    [["here", 0, 0, session.status], ["move", 1, 0, "playing"], ["move", 0, 1, "won"]]);
  assert.deepEqual(stepWords(way[0]), "This position");
  assert.deepEqual(way[2].before, way[1].session.piles);
});
