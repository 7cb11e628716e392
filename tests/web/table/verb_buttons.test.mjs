/** Which moves are played without a question. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { UNKNOWN_SESSION } from "../../../clients/web/js/game/session.js";
import { changeSettings } from "../../../clients/web/js/settings/settings.js";
import { permitMove } from "../../../clients/web/js/table/verb_buttons.js";
import "../english.mjs";

const session = (game) => ({ ...UNKNOWN_SESSION, game, counters: { redeals: 1 } });

test("a redeal is played at once in practice, and in any game if the setting says so", async () => {
  assert.equal(permitMove("redeal", session({ ranked: false })), true);
  await assert.rejects(/** @type {Promise<boolean>} */ (permitMove("redeal", session({ ranked: true }))), /document/);
  await assert.rejects(/** @type {Promise<boolean>} */ (permitMove("redeal", session({ ranked: false, race: "r" }))), /document/);
  assert.equal(permitMove("deal", session({ ranked: true })), true);
  changeSettings({ ask: false });
  assert.equal(permitMove("redeal", session({ ranked: true })), true);
});
