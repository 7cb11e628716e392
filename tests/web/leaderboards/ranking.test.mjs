import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { compareKeys, progressRankKey, raceRankKey, sortByRankKey } from "../../../clients/web/js/leaderboards/ranking.js";
import { racersInOrder } from "../../../clients/web/js/race/race_state.js";

const casesOf = (name) => JSON.parse(readFileSync(new URL(`../../orders/${name}.json`, import.meta.url), "utf8"));

/** The rank of each item of a sorted list, from 1. Items with equal keys share a rank. */
function ranksOf(sorted, keyOf) {
  return sorted.map((item) => 1 + sorted.findIndex((other) => compareKeys(keyOf(other), keyOf(item)) === 0));
}

for (const { name, results, order, ranks } of casesOf("race_order")) {
  test(`the pages order a race as the server does: ${name}`, () => {
    const meters = results.map(({ result, ...figures }) => ({ status: result, ...figures }));
    const sorted = sortByRankKey(meters, raceRankKey);
    assert.deepEqual(sorted.map(({ id }) => id), order);
    assert.deepEqual(ranksOf(sorted, raceRankKey), ranks);
    const racers = meters.map((meter) => ({ player: { id: meter.id }, meter }));
    assert.deepEqual(racersInOrder({ racers }).map(({ player }) => player.id), order);
  });
}

for (const { name, meters, order, ranks } of casesOf("progress_order")) {
  test(`the pages order a day's games as the server does: ${name}`, () => {
    const sorted = sortByRankKey(meters, progressRankKey);
    assert.deepEqual(sorted.map(({ id }) => id), order);
    assert.deepEqual(ranksOf(sorted, progressRankKey), ranks);
  });
}
