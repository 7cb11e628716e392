/**
 * The page of a group: its members, its boards, its seasons, and what the members write to each other.
 *
 * @import { Group, Player } from "wire"
 */
import { changeGroupSeasons, listGroupSeasons } from "../../evening/evenings_api.js";
import { nameWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { listGroups, putOutOfGroup, renewGroupLink } from "../../net/api.js";
import { makeTalkPanel } from "../../chat/chat_panel.js";
import { copyButton } from "../../ui/copy_button.js";
import { confirmAction } from "../../ui/dialogs.js";
import { button, element, fill, keepFocus, link } from "../../ui/dom.js";
import { loadLater } from "../../ui/load_later.js";
import { playerName } from "../../ui/player_name.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { group: id }, app) {
  const group = app.player ? (await listGroups()).find((one) => one.id === id) : undefined;
  if (!group || !app.player) {
    app.title(t("people.groups"));
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("people.groups")),
      element("p", {}, t("talk.no_group")), element("p", { class: "actions" }, link("/people", t("people.title"), "button primary"))));
    return undefined;
  }
  app.title(group.name);
  const { panel, take } = makeTalkPanel(group, app.player);
  const members = element("section", { class: "panel" });
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link("/people", t("people.title"))), element("h1", {}, group.name)),
    panel, members, await makeSeasonPanel(group, app.player));
  showMembers(members, group, app.player);
  return app.connection.watchTalk(group.id, take);
}

/** The seasons of a group: its owner sets them; the others find the latest. @param {Group} group @param {Player} reader */
async function makeSeasonPanel({ id, owner }, reader) {
  const [{ settings, seasons }, { makeSeasonSettings }] = await Promise.all([listGroupSeasons(id), loadLater()]);
  const latest = seasons[0] && `/season/${seasons[0].id}`;
  if (owner === reader.id) return makeSeasonSettings(settings, latest, (wanted) => changeGroupSeasons(id, wanted));
  return latest && element("section", { class: "panel" }, link(latest, t("seasons.season"), "button"));
}

/** @param {HTMLElement} place @param {Group} group @param {Player} reader */
function showMembers(place, group, reader) {
  const owns = group.owner === reader.id;
  /** @param {string} question @param {string} action @param {() => Promise<Group>} change */
  const ask = async (question, action, change) => {
    if (await confirmAction(question, action, t("common.no"))) showMembers(place, await change(), reader);
  };
  /** @param {Player} member */
  const putOut = (member) => {
    const name = nameWords(member);
    const made = button(t("people.put_out"),
      () => ask(t("people.put_out_question", { name }), t("people.put_out"), () => putOutOfGroup(group.id, member.id)), "quiet");
    made.setAttribute("aria-label", t("people.put_out_label", { name }));
    return made;
  };
  const renew = () => ask(t("people.renew_link_question"), t("people.renew_link"), () => renewGroupLink(group.id));
  keepFocus(place, () => fill(place, element("h2", {}, t("people.members", { count: group.members.length })),
    element("ul", { class: "rows" }, group.members.map((member) => element("li", {}, playerName(member, { own: member.id === reader.id }),
      member.id === group.owner && element("span", { class: "fine" }, t("talk.owner")),
      owns && member.id !== group.owner && putOut(member)))),
    element("p", { class: "actions" }, link(`/board/today?among=group:${group.id}`, t("talk.board"), "button"),
      copyButton(t("people.copy_link"), `${location.origin}/join/${group.token}`),
      owns && button(t("people.renew_link"), renew, "quiet"))));
}
