/** The state of a day's deals for the reader, and its words. Without page and network. */
import { isFinished } from "../game/session.js";
import { capitalize } from "../language/format.js";
import { formatNumber, hasText, t } from "../language/translate.js";

/**
 * The state of a deal for the reader.
 * @param {{your_game?: string, your_status?: string, spoiled?: boolean}} deal
 * @param {{state: string, ends_at: number, shuffling?: boolean}} daily
 * @param {number} now
 * @returns {"sealed"|"shuffling"|"fresh"|"begun"|"done"|"spoiled"|"missed"|"past"}
 */
export function dealState(deal, daily, now) {
  if (daily.state === "announced") return daily.shuffling ? "shuffling" : "sealed";
  if (deal.your_game && isFinished(deal.your_status)) return deal.spoiled ? "spoiled" : "done";
  if (deal.spoiled) return "spoiled";
  if (daily.state === "closed") return "past";
  if (deal.your_game) return "begun";
  return now < daily.ends_at ? "fresh" : "missed";
}

/** Whether everything about a deal in this state may be seen. @param {string} state */
export function isRevealed(state) {
  return ["done", "spoiled", "past"].includes(state);
}

/** The state of a deal in words. @param {ReturnType<typeof dealState>} state */
export function dealStateWords(state) {
  return t(`deals.stands_${state}`);
}

/** "Three deals today". @param {number} count */
export function dealsTodayWords(count) {
  const word = `deals.number_${count}`;
  return capitalize(t("home.deals_today", { count, number: hasText(word) ? t(word) : formatNumber(count) }));
}

/** The name of a level: "Easy". A level that only this host has keeps its own name. @param {string} level */
export function levelWords(level) {
  return hasText(`deals.level_${level}`) ? t(`deals.level_${level}`) : capitalize(level);
}

/** A streak in words; empty before its first day. @param {number|undefined} days */
export function streakWords(days) {
  return days ? t("deals.streak", { count: days }) : "";
}

/**
 * The next deal of a day: the first one in progress, else the first one not started.
 * @template T
 * @param {T[]} deals
 * @param {(deal: T) => string} stateOf
 * @returns {T|undefined}
 */
export function nextDeal(deals, stateOf) {
  return deals.find((deal) => stateOf(deal) === "begun") ?? deals.find((deal) => stateOf(deal) === "fresh");
}
