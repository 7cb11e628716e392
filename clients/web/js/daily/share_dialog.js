/**
 * Results as text to send to others, with a link: of a day, or of one game. The text names no card.
 *
 * @import { GameCard, RulesPage } from "wire"
 * @import { Session } from "../game/session.js"
 */
import { durationWords, scoreWords, statusWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { readShare } from "../net/api.js";
import { copyButton } from "../ui/copy_button.js";
import { button, element } from "../ui/dom.js";

/** Show the reader's results of a day, with buttons to send and to copy them. @param {string} day */
export async function showShareDialog(day) {
  openDialog(t("share.title"), await readShare(day), `/daily/${day}`);
}

/** Show the result of one game. @param {Session} session @param {GameCard} game @param {RulesPage} rules */
export function showGameShare(session, game, rules) {
  openDialog(t("share.title_game"), gameText(session, rules), `/replay/${game.id}`);
}

/**
 * One game in a line: "81 of 104 · Klondike: won, 98 moves, 4:12".
 * @param {Pick<Session, "score"|"status"|"played"|"milliseconds">} session
 * @param {Pick<RulesPage, "name"|"maximum">} rules
 */
export function gameText({ score, status, played, milliseconds }, { name, maximum }) {
  return t("share.game", {
    score: scoreWords(score, maximum), game: name, status: statusWords(status), moves: t("common.moves", { count: played }),
    time: durationWords(milliseconds ?? 0),
  });
}

/** @param {string} title @param {string} text @param {string} path of the page that the link leads to */
function openDialog(title, text, path) {
  const data = { text, url: location.origin + path };
  const shown = `${text}\n${data.url}`;
  const canSend = navigator.canShare?.(data) ?? false;
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel share", "aria-labelledby": "share-title", on: { close: () => dialog.remove() } },
    element("h2", { id: "share-title" }, title),
    element("pre", { tabindex: 0, role: "group", "aria-label": t("share.label") }, shown),
    element("p", { class: "fine" }, t("share.words")),
    element("p", { class: "actions" },
      canSend && button(t("share.send"), () => navigator.share(data).catch(() => {}), "button primary"),
      copyButton(t("share.copy"), shown, canSend ? "button" : "button primary"),
      button(t("common.close"), () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
}
