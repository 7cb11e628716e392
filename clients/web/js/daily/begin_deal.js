/**
 * Beginning to play: a deal of a day, or a casual game.
 *
 * @import { Daily, DailyDeal } from "wire"
 * @import { App } from "../main.js"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { enterDaily, readRules, sealDeal, startGame, startPractice } from "../net/api.js";
import { randomNonce } from "../net/random_nonce.js";
import { hasLearned } from "../settings/learned.js";
import { chooseOne } from "../ui/dialogs.js";

/**
 * Deal a casual game, which only its player has and which counts on no board, and go to its table.
 * @param {string} slug of its rules
 * @param {App} app
 * @param {{word?: string, number?: number, winnable?: boolean}} [wanted] `word` is what the player adds to the deal, so that nobody can
 *   choose the cards alone; `number` that of the numbered deal whose cards are wanted. If the deal is to be `winnable` and none is found,
 *   the player is offered any deal
 */
export async function dealCasual(slug, app, { word = "", number, winnable = false } = {}) {
  readRules(slug).catch(() => {}); // the table asks for them next; an error is shown there
  await app.ensurePlayer();
  const { deal } = await sealDeal(slug);
  try {
    const game = await startGame(deal, word.trim() || randomNonce(), { number, winnable });
    app.go(`/play/${game.id}`);
  } catch (refusal) {
    if (/** @type {{code?: string}} */ (refusal).code !== "no_winnable_deal") throw refusal;
    const chosen = await chooseOne(refusalWords(refusal), [t("again.any_deal"), t("again.try_again")]);
    if (chosen >= 0) await dealCasual(slug, app, { word, winnable: chosen === 1 });
  }
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
