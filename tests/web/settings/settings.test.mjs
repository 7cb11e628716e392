import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { changeSettings, chosenSetting, onSettingsChange, setting, SETTINGS, useSettingsOf } from "../../../clients/web/js/settings/settings.js";

function account(kept = null) {
  const made = { kept, writes: 0, isDown: false };
  made.read = async () => made.kept;
  made.write = async (choices) => {
    if (made.isDown) throw new Error("down");
    made.writes += 1;
    made.kept = choices;
  };
  return made;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const games = ["colours.louis", "colours.klondike"];

beforeEach(async () => {
  const forgetful = account();
  await useSettingsOf(forgetful);
  changeSettings(Object.fromEntries([...Object.entries(SETTINGS).map(([name, values]) => [name, values[0]]), ...games.map((name) => [name, "game"])]));
  await settled();
  await useSettingsOf(null);
});

test("a setting that was not chosen has its first value", () => {
  assert.equal(setting("theme"), "system");
  assert.equal(chosenSetting("theme"), undefined);
  changeSettings({ theme: "dark", oneTap: false });
  assert.equal(setting("theme"), "dark");
  assert.equal(setting("oneTap"), false);
});

test("a value that a setting does not have is ignored", () => {
  changeSettings({ theme: "loud", nonsense: true });
  assert.equal(setting("theme"), "system");
  assert.equal(setting("nonsense"), undefined);
});

test("a game has its own colours, or without a choice those of all games", () => {
  changeSettings({ colours: "four", "colours.louis": "two" });
  assert.equal(setting("colours.louis"), "two");
  assert.equal(setting("colours.klondike"), "four");
  changeSettings({ "colours.louis": "game" });
  assert.equal(setting("colours.louis"), "four");
});

test("a listener is called at every change until it is stopped", () => {
  const heard = [];
  const stop = onSettingsChange(() => heard.push(setting("hand")));
  changeSettings({ hand: "left" });
  stop();
  changeSettings({ hand: "right" });
  assert.deepEqual(heard, ["left"]);
});

test("the account's settings are used after signing in, together with what was changed here before", async () => {
  changeSettings({ theme: "dark" });
  const theirs = account({ language: "hu", hand: "left", one_tap: false, game_colours: { louis: "two" } });
  await useSettingsOf(theirs);
  assert.equal(setting("oneTap"), false);
  assert.equal(setting("colours.louis"), "two");
  assert.equal(setting("language"), "hu");
  assert.deepEqual(theirs.kept, { language: "hu", hand: "left", theme: "dark", one_tap: false, game_colours: { louis: "two" } });
});

test("the settings of one account are not given to the next one", async () => {
  await useSettingsOf(account({ theme: "dark" }));
  await useSettingsOf(account({ hand: "left" }));
  assert.equal(setting("theme"), "system");
});

test("an account without settings takes over the settings of this browser", async () => {
  changeSettings({ table: "wine" });
  const fresh = account();
  await useSettingsOf(fresh);
  assert.deepEqual(fresh.kept, { table: "wine" });
});

test("what could not be sent is sent when the account can be reached again, before its own settings are used", async () => {
  const theirs = account({ hand: "right" });
  await useSettingsOf(theirs);
  theirs.isDown = true;
  changeSettings({ hand: "left" });
  await settled();
  theirs.isDown = false;
  await useSettingsOf(theirs);
  assert.equal(setting("hand"), "left");
  assert.deepEqual(theirs.kept, { hand: "left" });
});

test("changes made during a request go together with the next request", async () => {
  const theirs = account({});
  await useSettingsOf(theirs);
  changeSettings({ theme: "dark" });
  changeSettings({ oneTap: false });
  changeSettings({ "colours.louis": "four" });
  await settled();
  assert.deepEqual(theirs.kept, { theme: "dark", one_tap: false, game_colours: { louis: "four" } });
  assert.equal(theirs.writes, 2);
});
