/**
 * The friends whom the reader follows, and groups with leaderboards of their own.
 *
 * @import { Group } from "wire"
 */
import { nameWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t, tNodes } from "../../language/translate.js";
import { createGroup, followPlayer, leaveGroup, listFriends, listGroups, unfollowPlayer } from "../../net/api.js";
import { copyButton } from "../../ui/copy_button.js";
import { confirmAction } from "../../ui/dialogs.js";
import { button, clearOnInput, element, fill, keepFocus, link, oneAtATime } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("people.title"));
  const heading = element("header", { class: "heading" }, element("h1", {}, t("people.title")));
  if (!app.player) {
    fill(root, heading, element("section", { class: "panel" },
      element("p", {}, tNodes("people.first", { sign_in: link("/account", t("people.sign_in")) }))));
    return;
  }
  const friends = element("section", { class: "panel" });
  const groups = element("section", { class: "panel" });
  fill(root, heading, element("div", { class: "pair" }, friends, groups));
  await Promise.all([showFriends(friends), showGroups(groups)]);
}

/** @param {HTMLElement} place @returns {Promise<void>} */
async function showFriends(place) {
  const friends = await listFriends();
  const reload = () => showFriends(place);
  keepFocus(place, () => fill(place, element("h2", {}, t("people.friends")),
    element("p", {}, t("people.friends_words")),
    nameForm({ label: t("people.name"), action: t("people.follow"), id: "friend", submit: (name) => followPlayer(name).then(reload) }),
    element("ul", { class: "rows" }, friends.map((friend) => element("li", {}, playerName(friend),
      withLabel(button(t("people.unfollow"), () => unfollowPlayer(friend.name).then(reload), "quiet"),
        t("people.unfollow_label", { name: nameWords(friend) }))))),
    friends.length > 0 && element("p", { class: "actions" }, link("/board/today?among=friends", t("people.friends_board"), "button"))));
}

/** @param {HTMLElement} place @returns {Promise<void>} */
async function showGroups(place) {
  const groups = await listGroups();
  const reload = () => showGroups(place);
  keepFocus(place, () => fill(place, element("h2", {}, t("people.groups")),
    element("p", {}, t("people.groups_words")),
    nameForm({
      label: t("people.new_group"), action: t("people.make_group"), id: "group", submit: (name) => createGroup(name).then(reload),
    }),
    element("ul", { class: "rows groups" }, groups.map((group) => groupRow(group, reload)))));
}

/** @param {Group} group @param {() => Promise<void>} reload */
function groupRow(group, reload) {
  const leave = async () => {
    const sure = await confirmAction(t("people.leave_question", { name: group.name }), t("people.leave"), t("common.no"));
    if (sure) await leaveGroup(group.id).then(reload);
  };
  const address = `${location.origin}/join/${group.token}`;
  return element("li", {},
    link(`/groups/${group.id}`, group.name),
    element("span", { class: "fine" }, t("people.members", { count: group.members.length })),
    element("p", { class: "actions" }, link(`/board/today?among=group:${group.id}`, t("talk.board"), "button"),
      copyButton(t("people.copy_link"), address),
      withLabel(button(t("people.leave"), leave, "quiet"), t("people.leave_label", { name: group.name }))),
    element("p", { class: "fine members" }, group.members.map((member) => playerName(member))));
}

/** @param {HTMLElement} made @param {string} words */
function withLabel(made, words) {
  made.setAttribute("aria-label", words);
  return made;
}

/** @param {{label: string, action: string, id: string, submit: (name: string) => Promise<void>}} about */
function nameForm({ label, action, id, submit }) {
  const name = element("input", { id, required: true, minlength: 2, maxlength: 40, autocomplete: "off" });
  const problem = element("p", { class: "problem", role: "alert" });
  const send = oneAtATime(() => {
    problem.textContent = "";
    return submit(name.value.trim()).catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  });
  const form = element("form", { class: "line", on: {
    submit: (event) => {
      event.preventDefault();
      send();
    },
  } }, element("label", { for: id }, label), element("span", {}, name, element("button", { class: "button primary" }, action)), problem);
  clearOnInput(form, problem);
  return form;
}
