/** A day's deals and how one stands with each, in words: no page and no network here. */
import { counted } from "./cards.js";

const OVER = ["won", "lost", "resigned", "out_of_time"];
const NUMBERS = ["No deals", "One deal", "Two deals", "Three deals", "Four deals", "Five deals", "Six deals", "Seven deals", "Eight deals", "Nine deals"];

/** Whether a run of this status is over. @param {string|undefined} status */
export function isFinished(status) {
  return OVER.includes(status);
}

/**
 * How one stands with a deal.
 * @param {{your_game?: string, your_status?: string, spoiled?: boolean}} deal
 * @param {{state: string, ends_at: number}} daily
 * @param {number} now
 * @returns {"sealed"|"fresh"|"begun"|"done"|"spoiled"|"missed"|"past"}
 */
export function standing(deal, daily, now) {
  if (daily.state === "announced") return "sealed";
  if (deal.your_game && isFinished(deal.your_status)) return deal.spoiled ? "spoiled" : "done";
  if (deal.spoiled) return "spoiled";
  if (daily.state === "closed") return "past";
  if (deal.your_game) return "begun";
  return now < daily.ends_at ? "fresh" : "missed";
}

/** Whether everything about this deal may be seen. @param {string} stands */
export function isOpen(stands) {
  return ["done", "spoiled", "past"].includes(stands);
}

const WORDS = {
  sealed: "Sealed until its day", fresh: "Not begun", begun: "Under way", done: "Done",
  spoiled: "Spoiled: no rank for you here", missed: "Too late to begin", past: "The day is over",
};

/** @param {ReturnType<typeof standing>} stands */
export function standingWords(stands) {
  return WORDS[stands];
}

/** "Three deals". @param {number} count */
export function dealsWords(count) {
  return NUMBERS[count] ?? `${count} deals`;
}

/** A level with a capital: "Gentle". @param {string} level */
export function levelWords(level) {
  return level.charAt(0).toUpperCase() + level.slice(1);
}

/** What a streak says; nothing before its first day. @param {number|undefined} days */
export function streakWords(days) {
  return days ? `${counted(days, "day")} in a row` : "";
}

/**
 * Where a row of deals leads next: the first under way, else the first not begun.
 * @template T
 * @param {T[]} deals
 * @param {(deal: T) => string} stands
 * @returns {T|undefined}
 */
export function nextDeal(deals, stands) {
  return deals.find((deal) => stands(deal) === "begun") ?? deals.find((deal) => stands(deal) === "fresh");
}
