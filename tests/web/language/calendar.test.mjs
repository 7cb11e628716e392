import assert from "node:assert/strict";
import { test } from "node:test";

import "../english.mjs";
import { daysLater, daysOfMonth, mondayOf, monthsLater, weekOf, weekWords, weekday } from "../../../clients/web/js/language/calendar.js";

test("a week belongs to the year of its Thursday", () => {
  assert.deepEqual(["2026-11-20", "2027-01-03", "2027-01-04", "2024-12-30"].map(weekOf), ["2026-W47", "2026-W53", "2027-W01", "2025-W01"]);
});

test("the Monday of a week is in that week", () => {
  assert.deepEqual(["2026-W47", "2026-W53", "2025-W01"].map(mondayOf), ["2026-11-16", "2026-12-28", "2024-12-30"]);
});

test("adding days and months crosses the ends of months and years", () => {
  assert.equal(daysLater("2026-12-31", 1), "2027-01-01");
  assert.equal(monthsLater("2026-01", -1), "2025-12");
  assert.equal(daysOfMonth("2028-02").length, 29);
});

test("Monday is the first day of the week", () => {
  assert.deepEqual(["2026-11-16", "2026-11-22"].map(weekday), [0, 6]);
});

test("a week names two months only if it has days of both", () => {
  assert.match(weekWords("2026-W47"), /^16\s?–\s?22 November 2026$/);
  assert.match(weekWords("2026-W49"), /^30 November\s?–\s?6 December 2026$/);
});
