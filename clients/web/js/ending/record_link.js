/** The link to a game's record, and when there will be one. */
import { momentWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { recordAddress } from "../net/api.js";
import { element, link } from "../ui/dom.js";

/** The link that downloads a game's record. @param {string} game */
export function recordLink(game) {
  return element("a", { href: recordAddress(game), download: `${game}.json` }, t("ending.record"));
}

/**
 * The links to a game's record; until its day has closed, when that will be.
 * @param {string} game
 * @param {import("wire").Daily|null} daily the day whose deal it is
 * @returns {import("../ui/dom.js").Child[]}
 */
export function recordLinks(game, daily) {
  if (daily && daily.state !== "closed") return [t("ending.record_later", { moment: momentWords(daily.closes_at) })];
  return [recordLink(game), " · ", link(`/audit/${game}`, t("audit.check"))];
}
