/**
 * The dialog after a game: how it ended, and links from here.
 *
 * @import { GameCard } from "wire"
 * @import { Session } from "../game/session.js"
 */
import { showShareDialog } from "../daily/share_dialog.js";
import { durationWords, momentWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { leaderboardAddress } from "../leaderboards/leaderboard_names.js";
import { readDaily, recordAddress } from "../net/api.js";
import { button, element, fill, link } from "../ui/dom.js";

/**
 * @param {Session} session
 * @param {GameCard} game
 * @returns {HTMLDialogElement} the dialog, which is open already
 */
export function showGameOver(session, game) {
  const { day } = game;
  const record = element("p", { class: "fine" });
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: `panel ending ${session.status}`, "aria-labelledby": "ending-title" },
    element("p", { class: "eyebrow" }, t(`ending.${session.status}_words`)),
    element("h2", { id: "ending-title" }, t(`ending.${session.status}`)),
    element("dl", { class: "stats" }, figures(session)),
    element("p", { class: "actions" },
      game.ranked && link(leaderboardAddress(`deal:${game.deal}`), t("ending.board"), "button primary"),
      day && link(`/daily/${day}`, t("ending.days_deals"), game.ranked ? "button" : "button primary"),
      link(`/replay/${game.id}`, t("ending.replay"), day ? "button" : "button primary"),
      day && game.mode === "daily" && button(t("ending.share"), () => showShareDialog(day)),
      !day && link(`/games/${game.rules}`, t("ending.another"), "button"),
      button(t("ending.look"), () => dialog.close())),
    record);
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => target instanceof Element && target.closest("a") && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  showRecordLink(record, game);
  return dialog;
}

/** @param {Session} session */
function figures({ score, home, played, milliseconds, active }) {
  /** @type {Record<string, string>} */
  const values = {
    score: formatNumber(score), home: formatNumber(home), moves: formatNumber(played), time: durationWords(milliseconds ?? 0),
  };
  if (active !== null) values.active = durationWords(active);
  return Object.entries(values).map(([name, value]) => element("div", {}, element("dt", {}, t(`ending.${name}`)), element("dd", {}, value)));
}

/** @param {HTMLElement} place @param {GameCard} game */
async function showRecordLink(place, game) {
  const closes = game.day ? (await readDaily(game.day).catch(() => null)) : null;
  if (closes && closes.state !== "closed") {
    fill(place, document.createTextNode(t("ending.record_later", { moment: momentWords(closes.closes_at) })));
  } else {
    fill(place, recordLink(game.id), " · ", link(`/audit/${game.id}`, t("audit.check")));
  }
}

/** The link that downloads a game's record. @param {string} game */
export function recordLink(game) {
  return element("a", { href: recordAddress(game), download: `${game}.json` }, t("ending.record"));
}
