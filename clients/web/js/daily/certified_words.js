/** What is known of a certified deal in words. */
import { t } from "../language/translate.js";
import { levelWords } from "./deal_states.js";

/**
 * That a deal can be won, its par and its own level, as far as the server tells; empty for a deal that is not certified.
 * @param {import("wire").DailyDeal} deal
 */
export function certifiedWords({ seal, par, deal_level: level }) {
  if (!seal) return "";
  const words = par === undefined ? t("deals.certified") : t("deals.par", { count: par });
  return level ? `${words} · ${t("deals.deal_level", { level: levelWords(level) })}` : words;
}

/**
 * Whether a deal is certified, or will be if the search finds one that can be won; empty if neither is so.
 * @param {import("wire").DailyDeal} deal
 * @param {{state: string}} daily
 * @returns {"certified"|"to_be_certified"|""}
 */
export function certifiedState({ seal, search }, { state }) {
  if (seal) return "certified";
  return search && state === "announced" ? "to_be_certified" : "";
}
