/** Players' names on a page: a link to the player's page, and a mark for bots and guests. */
import { nameWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { element, link } from "./dom.js";

/**
 * @param {{id: string, name: string, guest: boolean, bot?: boolean, left?: boolean}} player
 * @param {{own?: boolean, href?: string|null}} [about] `href`: another address than the player's page; null for no link
 */
export function playerName(player, { own = false, href = player.left ? null : `/players/${player.id}` } = {}) {
  const text = own ? t("common.you", { name: nameWords(player) }) : nameWords(player);
  return element("span", { class: "name" }, href ? link(href, text) : text, playerMarks(player));
}

/** "bot" or "guest" in small letters; nothing for other players. @param {{guest: boolean, bot?: boolean, left?: boolean}} player */
export function playerMarks(player) {
  if (player.bot) return element("small", { class: "mark-bot" }, ` ${t("people.bot")}`);
  return player.guest && !player.left ? element("small", {}, ` ${t("people.guest")}`) : null;
}
