/** Asking to be spoiled: what it costs is said first. */
import { spoilDeal } from "../net/api.js";
import { ask } from "../ui/dialogs.js";
import { t } from "../language/translate.js";

/**
 * @param {{day: string}} daily
 * @param {{slot: number, your_game?: string}} deal
 * @param {import("../main.js").App} app
 * @returns {Promise<boolean>} whether it was done
 */
export async function askToBeSpoiled({ day }, { slot, your_game: game }, app) {
  if (!(await ask(t(game ? "deals.spoil_begun" : "deals.spoil_fresh"), t("deals.spoil_yes")))) return false;
  await app.needPlayer();
  await spoilDeal(day, slot);
  return true;
}
