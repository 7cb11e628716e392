/** A day's deals and how one stands with each, in words: no page and no network here. */
import { isFinished } from "../game/session.js";
import { capitalize } from "../language/format.js";
import { formatNumber, hasText, t } from "../language/translate.js";

/**
 * How one stands with a deal.
 * @param {{your_game?: string, your_status?: string, spoiled?: boolean}} deal
 * @param {{state: string, ends_at: number}} daily
 * @param {number} now
 * @returns {"sealed"|"fresh"|"begun"|"done"|"spoiled"|"missed"|"past"}
 */
export function dealState(deal, daily, now) {
  if (daily.state === "announced") return "sealed";
  if (deal.your_game && isFinished(deal.your_status)) return deal.spoiled ? "spoiled" : "done";
  if (deal.spoiled) return "spoiled";
  if (daily.state === "closed") return "past";
  if (deal.your_game) return "begun";
  return now < daily.ends_at ? "fresh" : "missed";
}

/** Whether everything about this deal may be seen. @param {string} stands */
export function isRevealed(stands) {
  return ["done", "spoiled", "past"].includes(stands);
}

/** How one stands with a deal, in words. @param {ReturnType<typeof dealState>} stands */
export function dealStateWords(stands) {
  return t(`deals.stands_${stands}`);
}

/** "Three deals today". @param {number} count */
export function dealsTodayWords(count) {
  const word = `deals.number_${count}`;
  return t("home.deals_today", { count, number: hasText(word) ? t(word) : formatNumber(count) });
}

/** A level with a capital: "Gentle"; a host's own keeps its name. @param {string} level */
export function levelWords(level) {
  return hasText(`deals.level_${level}`) ? t(`deals.level_${level}`) : capitalize(level);
}

/** What a streak says; nothing before its first day. @param {number|undefined} days */
export function streakWords(days) {
  return days ? t("deals.streak", { count: days }) : "";
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
