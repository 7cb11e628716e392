/**
 * Results as text to send to others, with a link: of a day, or of one game. The text names no card.
 *
 * @import { GameCard, RulesPage } from "wire"
 * @import { Session } from "../game/session.js"
 */
import { durationWords, scoreWords, statusWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { readShare } from "../net/api.js";
import { copyButton } from "../ui/copy_button.js";
import { button, element } from "../ui/dom.js";

/** Show the reader's results of a day, with buttons to send and to copy them; or why there are none. @param {string} day */
export async function showShareDialog(day) {
  const title = t("share.title");
  try {
    openDialog(title, sharing(await readShare(day), `/daily/${day}`));
  } catch (refusal) {
    openDialog(title, { content: [element("p", { role: "alert" }, refusalWords(refusal))], buttons: [] });
  }
}

/** Show the result of one game. @param {Session} session @param {GameCard} game @param {RulesPage} rules */
export function showGameShare(session, game, rules) {
  openDialog(t("share.title_game"), sharing(gameText(session, rules), `/replay/${game.id}`));
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

/** @typedef {{content: HTMLElement[], buttons: (HTMLElement|false)[]}} Parts of the dialog */

/** @param {string} text @param {string} path of the page that the link leads to @returns {Parts} */
function sharing(text, path) {
  const data = { text, url: location.origin + path };
  const shown = `${text}\n${data.url}`;
  const canSend = navigator.canShare?.(data) ?? false;
  return {
    content: [element("pre", { tabindex: 0, role: "group", "aria-label": t("share.label") }, shown),
      element("p", { class: "fine" }, t("share.words"))],
    buttons: [canSend && button(t("share.send"), () => navigator.share(data).catch(() => {}), "button primary"),
      copyButton(t("share.copy"), shown, canSend ? "button" : "button primary")],
  };
}

/** @param {string} title @param {Parts} parts */
function openDialog(title, { content, buttons }) {
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel share", "aria-labelledby": "share-title", on: { close: () => dialog.remove() } },
    element("h2", { id: "share-title" }, title), content,
    element("p", { class: "actions" }, buttons, button(t("common.close"), () => dialog.close())));
  document.body.append(dialog);
  dialog.showModal();
}
