/**
 * Beginning to play: a deal of a day, or a casual game.
 *
 * @import { Daily, DailyDeal } from "wire"
 * @import { App } from "../main.js"
 */
import { t } from "../language/translate.js";
import { enterDaily, readRules, sealDeal, startGame, startPractice } from "../net/api.js";
import { randomNonce } from "../net/random_nonce.js";
import { hasLearned } from "../settings/learned.js";
import { chooseOne } from "../ui/dialogs.js";

/**
 * Deal a casual game, which only its player has and which counts on no board, and go to its table.
 * @param {string} slug of its rules
 * @param {App} app
 * @param {string} [word] what the player adds to the deal, so that nobody can choose the cards alone
 * @param {number} [number] of the numbered deal whose cards are wanted
 */
export async function dealCasual(slug, app, word = "", number = undefined) {
  readRules(slug).catch(() => {}); // the table asks for them next; an error is shown there
  await app.ensurePlayer();
  const { deal } = await sealDeal(slug);
  const game = await startGame(deal, word.trim() || randomNonce(), number);
  app.go(`/play/${game.id}`);
}

/**
 * Begin a run of a deal, or go on with it, and go to its table.
 * @param {Daily} daily
 * @param {DailyDeal} deal
 * @param {App} app
 * @param {typeof startPractice} [how]
 */
export async function beginDeal(daily, deal, app, how = enterDaily) {
  readRules(deal.rules).catch(() => {}); // the table asks for them next; an error is shown there
  await app.ensurePlayer();
  const game = await how(daily.day, deal.slot);
  app.go(`/play/${game.id}`);
}

/**
 * Begin the ranked run of a deal. Somebody who has never played its game here is asked first: there is only one attempt.
 * @param {Daily} daily
 * @param {DailyDeal} deal
 * @param {string} name of the game's rules
 * @param {App} app
 */
export async function beginRanked(daily, deal, name, app) {
  const choice = hasLearned(deal.rules) ? 1
    : await chooseOne(t("deals.first_time", { game: name }), [t("deals.try_first", { game: name }), t("deals.play_ranked")]);
  if (choice === 0) await dealCasual(deal.rules, app);
  if (choice === 1) await beginDeal(daily, deal, app);
}
