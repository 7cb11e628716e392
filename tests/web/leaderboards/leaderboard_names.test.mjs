import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { findPage } from "../../../clients/web/js/router.js";
import { dealAddress, leaderboardAddress, leaderboardOf, leaderboardWords, changedRows, dayOfLeaderboard, neighbourLeaderboards, parseLeaderboard } from "../../../clients/web/js/leaderboards/leaderboard_names.js";

const NOW = Date.parse("2026-11-20T10:00:00Z");

test('"today" and a day name the leaderboard of that day', () => {
  assert.equal(parseLeaderboard("today", NOW).name, "day:2026-11-20");
  assert.equal(parseLeaderboard("2026-11-01", NOW).name, "day:2026-11-01");
  assert.deepEqual(parseLeaderboard("all", NOW), { kind: "all", about: "", name: "all" });
});

test("the tabs beside a leaderboard stay with its day", () => {
  const day = dayOfLeaderboard(parseLeaderboard("deal:2026-10-03.2", NOW), NOW);
  assert.deepEqual(["day", "week", "month"].map((kind) => leaderboardOf(kind, day)), ["day:2026-10-03", "week:2026-W40", "month:2026-10"]);
});

test("the present week and month lead to today, others to their first day", () => {
  assert.equal(dayOfLeaderboard(parseLeaderboard("week:2026-W47", NOW), NOW), "2026-11-20");
  assert.equal(dayOfLeaderboard(parseLeaderboard("month:2026-10", NOW), NOW), "2026-10-01");
});

test("there is no leaderboard after the present one", () => {
  assert.deepEqual(neighbourLeaderboards(parseLeaderboard("deal:2026-11-19.2", NOW), NOW), { before: "deal:2026-11-18.2", after: "deal:2026-11-20.2" });
  assert.deepEqual(neighbourLeaderboards(parseLeaderboard("week:2026-W47", NOW), NOW), { before: "week:2026-W46", after: null });
  assert.deepEqual(neighbourLeaderboards(parseLeaderboard("all", NOW), NOW), { before: null, after: null });
});

test("no address of a leaderboard looks like the address of a file", () => {
  assert.equal(leaderboardAddress("deal:2026-11-20.2", { among: "friends", bots: "" }), "/board/deal:2026-11-20/2?among=friends");
  assert.equal(leaderboardAddress("all"), "/board/all");
});

test("leaderboards have titles", () => {
  const words = (name) => leaderboardWords(parseLeaderboard(name, NOW));
  assert.deepEqual(["day:2026-11-20", "month:2026-11", "all", "deal:2026-11-20.2"].map(words),
    ["20 November 2026", "November 2026", "All time", "Deal 2"]);
});

test("a row has not changed if only its rank has", () => {
  const row = (id, rank, points) => ({ rank, player: { id }, points, moves: 3, milliseconds: 9 });
  const before = [row("a", 1, 500), row("b", 2, 300)];
  const after = [row("c", 1, 700), row("a", 2, 500), row("b", 3, 301)];
  assert.deepEqual([...changedRows(before, after)], ["c", "b"]);
});

test("the page of a deal of a day has an address that the server does not take for a file", () => {
  assert.equal(dealAddress("2026-11-20.1"), "/deal/2026-11-20/1");
  assert.deepEqual(findPage("/deal/2026-11-20/1").parameters, { deal: "2026-11-20", slot: "1" });
  assert.deepEqual(findPage(dealAddress("aaaabbbbccccdddd")).parameters, { deal: "aaaabbbbccccdddd" });
});
