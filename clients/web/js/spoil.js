/** Asking to be spoiled: what it costs is said first. */
import { spoilDeal } from "./api.js";
import { ask } from "./ask.js";

/**
 * @param {{day: string}} daily
 * @param {{slot: number, your_game?: string}} deal
 * @param {object} app
 * @returns {Promise<boolean>} whether it was done
 */
export async function askToBeSpoiled({ day }, { slot, your_game: game }, app) {
  const cost = game ? "Your run goes on, but is not ranked any more." : "You will have no ranked run of this deal.";
  if (!(await ask(`See everybody’s cards of this deal now? ${cost} It is written down and cannot be undone.`, "Spoil it for me"))) return false;
  await app.needPlayer();
  await spoilDeal(day, slot);
  return true;
}
