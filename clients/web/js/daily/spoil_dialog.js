/** Revealing a deal to somebody who has not finished it. A dialog first says what this costs. */
import { t } from "../language/translate.js";
import { spoilDeal } from "../net/api.js";
import { confirmAction } from "../ui/dialogs.js";

/**
 * @param {{day: string}} daily
 * @param {{slot: number, your_game?: string}} deal
 * @param {import("../main.js").App} app
 * @returns {Promise<boolean>} whether the reader agreed and the deal is revealed
 */
export async function confirmSpoil({ day }, { slot, your_game: game }, app) {
  if (!(await confirmAction(t(game ? "deals.spoil_begun" : "deals.spoil_fresh"), t("deals.spoil_yes"), t(game ? "seat.no_go_on" : "common.no")))) return false;
  await app.ensurePlayer();
  await spoilDeal(day, slot);
  return true;
}
