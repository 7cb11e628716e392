/**
 * What the members of a group write to each other: the list, which grows by itself, and the field to write in.
 *
 * @import { Group, Player, Talk, TalkMessage } from "wire"
 */
import { makeReportButton } from "../account/report.js";
import { nameWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { formatDate, t } from "../language/translate.js";
import { readEarlier, removeMessage, switchTalk, writeMessage } from "../net/chat_api.js";
import { reportMessage } from "../net/reports_api.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, clearOnInput, element, fill, keepFocus, oneAtATime } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { mergeMessages } from "./messages.js";

/**
 * @param {Group} group
 * @param {Player} reader
 * @returns {{panel: HTMLElement, take: (talk: Talk) => void}} `take` shows what the server has sent
 */
export function makeTalkPanel(group, reader) {
  const owns = group.owner === reader.id;
  const problem = element("p", { class: "problem", role: "alert" });
  const list = element("div", { class: "talk", role: "log", "aria-label": t("talk.title"), tabindex: 0 });
  const earlier = element("p", { class: "actions" });
  const writing = element("div");
  const switching = element("p", { class: "actions" });
  /** @type {TalkMessage[]} */
  let messages = [];
  /** @type {boolean|null} */
  let on = null;

  /** @param {() => Promise<unknown>} work */
  const attempt = async (work) => {
    problem.textContent = "";
    try {
      await work();
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };

  function show() {
    const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    const shown = messages.filter(({ removed }) => !removed);
    keepFocus(list, () => fill(list, shown.map(row)));
    if (on && shown.length === 0) fill(list, element("p", { class: "fine" }, t("talk.nothing")));
    list.hidden = !on;
    if (atEnd) list.scrollTop = list.scrollHeight;
  }

  /** @param {TalkMessage} message */
  function row({ id, by, at, text }) {
    const own = by.id === reader.id;
    return element("div", { class: own ? "own" : null },
      element("p", { class: "fine" }, playerName(by, { own }), " ", element("time", { datetime: new Date(at).toISOString() }, formatDate(at, { dateStyle: "short", timeStyle: "short" }))),
      element("p", { class: "talk-text", dir: "auto" }, text),
      element("p", { class: "actions" },
        (own || owns) && labelled(button(t("talk.remove"), () => remove(id), "quiet"), t("talk.remove_label", { name: nameWords(by) })),
        !own && !reader.guest && makeReportButton(t("report.message_title", { name: nameWords(by) }), "conduct", (report) => reportMessage(id, report))));
  }

  /** @param {string} id */
  const remove = (id) => attempt(async () => {
    if (await confirmAction(t("talk.remove_question"), t("talk.remove"), t("common.no"))) take({ ...asTalk([await removeMessage(group.id, id)]) });
  });

  function showEarlier() {
    fill(earlier, button(t("talk.earlier"), () => attempt(async () => {
      const page = await readEarlier(group.id, messages[0].id);
      messages = mergeMessages(messages, page.messages);
      earlier.hidden = !page.more;
      show();
    }), "quiet"));
  }

  function showWriting() {
    fill(switching, owns && button(t(on ? "talk.switch_off" : "talk.switch_on"), () => attempt(async () => {
      if (on && !await confirmAction(t("talk.switch_off_question"), t("talk.switch_off"), t("common.no"))) return;
      await switchTalk(group.id, !on);
    })));
    if (!on) return fill(writing, element("p", {}, t(owns ? "talk.is_off_owner" : "talk.is_off")));
    fill(writing, reader.guest ? element("p", {}, t("talk.guests")) : makeForm());
  }

  function makeForm() {
    const field = element("input", { id: "talk-text", maxlength: 500, required: true, autocomplete: "off", dir: "auto", enterkeyhint: "send", "aria-describedby": "talk-hint" });
    const send = oneAtATime(() => attempt(async () => {
      take(asTalk([await writeMessage(group.id, field.value)]));
      field.value = "";
      list.scrollTop = list.scrollHeight;
    }));
    const form = element("form", { class: "line talk-form", on: { submit: (event) => {
      event.preventDefault();
      send();
    } } }, element("label", { for: "talk-text" }, t("talk.write")),
    element("span", {}, field, element("button", { class: "button primary" }, t("talk.send"))),
    element("p", { class: "fine", id: "talk-hint" }, t("talk.hint")));
    clearOnInput(form, problem);
    return form;
  }

  /** @param {TalkMessage[]} changed @returns {Talk} */
  const asTalk = (changed) => ({ type: "talk", group: group.id, on: true, messages: changed });

  /** @param {Talk} talk */
  function take(talk) {
    const before = on;
    on = talk.on;
    messages = on ? mergeMessages(messages, talk.messages) : [];
    if (before !== on) showWriting();
    if (before === null && messages.length >= 50) showEarlier();
    show();
    if (before === null) list.scrollTop = list.scrollHeight;
  }

  const panel = element("section", { class: "panel" }, element("h2", {}, t("talk.title")), element("p", { class: "fine" }, t("talk.words")),
    earlier, list, writing, problem, switching);
  return { panel, take };
}

/** @param {HTMLElement} made @param {string} words */
function labelled(made, words) {
  made.setAttribute("aria-label", words);
  return made;
}
