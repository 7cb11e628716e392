import assert from "node:assert/strict";
import { test } from "node:test";
import { possibleActs } from "../../../clients/web/js/admin/acts.js";

const player = { player: { id: "b2q4w6e3r5t7y2ui", name: "Rowdy", guest: false }, created_at: 0 };
const guest = { ...player, player: { ...player.player, guest: true } };
const bot = { ...player, player: { ...player.player, id: "bot-b2q4w6e3r5t7y2ui", bot: true } };

test("a moderator can rename, mute, suspend and sign out a player, and no more", () => {
  assert.deepEqual(possibleActs(player, "moderator"), ["rename", "mute", "suspend", "sign_out"]);
});

test("a host can do everything to a player that is not done already", () => {
  assert.deepEqual(possibleActs(player, "host"), ["rename", "mute", "suspend", "sign_out", "ban", "reset", "erase", "make_moderator", "make_host"]);
});

test("a guest can be muted, suspended and banned, and a bot has no password and no role", () => {
  assert.deepEqual(possibleActs(guest, "host"), ["mute", "suspend", "ban", "erase"]);
  assert.deepEqual(possibleActs(bot, "host"), ["rename", "mute", "suspend", "sign_out", "ban"]);
});

test("only a host can end a ban, and everybody a suspension", () => {
  assert.ok(possibleActs({ ...player, banned: true }, "host").includes("restore"));
  assert.ok(!possibleActs({ ...player, banned: true }, "moderator").includes("restore"));
  assert.ok(possibleActs({ ...player, suspended_until: 1 }, "moderator").includes("restore"));
});

test("a mute is ended by everybody, and only where there is one", () => {
  assert.ok(possibleActs({ ...player, muted_until: 1 }, "moderator").includes("unmute"));
  assert.ok(!possibleActs(player, "host").includes("unmute"));
});

test("only the roles of hosts and moderators can be changed, by hosts", () => {
  assert.deepEqual(possibleActs({ ...player, role: "moderator" }, "host"), ["make_host", "unmake"]);
  assert.deepEqual(possibleActs({ ...player, role: "host" }, "host"), ["make_moderator", "unmake"]);
  assert.deepEqual(possibleActs({ ...player, role: "host" }, "moderator"), []);
});
