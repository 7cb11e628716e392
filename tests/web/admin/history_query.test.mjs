import assert from "node:assert/strict";
import { test } from "node:test";
import { downloadAddress, queryOf } from "../../../clients/web/js/admin/history/query.js";

const fields = { kind: "game", value: "aaaabbbbccccdddd", type: "", from: "", until: "" };

test("what is asked about is a kind and a name", () => {
  assert.deepEqual(queryOf(fields), { about: "game/aaaabbbbccccdddd" });
  assert.deepEqual(queryOf({ ...fields, kind: "hash", value: " ABCDEF " }), { about: "hash/abcdef" });
});

test("of a link the last part counts", () => {
  assert.equal(queryOf({ ...fields, value: "https://patience.example/replay/aaaabbbbccccdddd?at=3#x" })?.about, "game/aaaabbbbccccdddd");
  assert.equal(queryOf({ ...fields, kind: "player", value: "/players/aaaabbbbccccdddd/" })?.about, "player/aaaabbbbccccdddd");
});

test("nothing is asked about nothing", () => {
  for (const value of ["", "  ", "/"]) assert.equal(queryOf({ ...fields, value }), null);
});

test("days are whole days in UTC", () => {
  assert.deepEqual(queryOf({ ...fields, type: "move_played", from: "2026-11-20", until: "2026-11-20" }), {
    about: "game/aaaabbbbccccdddd", type: "move_played", since: "1795132800000", until: "1795219200000",
  });
});

test("the file is asked for as the page is", () => {
  assert.equal(downloadAddress({ about: "day/2026-11-20", type: "daily_closed" }), "/api/v1/house/events/download?about=day%2F2026-11-20&type=daily_closed");
});
