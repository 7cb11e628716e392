/** The page of a group: its members, its boards, and what the members write to each other. */
import { t } from "../../language/translate.js";
import { listGroups } from "../../net/api.js";
import { element, fill, link } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";
import { makeTalkPanel } from "../../talk/talk_panel.js";

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
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link("/people", t("people.title"))), element("h1", {}, group.name)),
    panel,
    element("section", { class: "panel" }, element("h2", {}, t("people.members", { count: group.members.length })),
      element("ul", { class: "rows" }, group.members.map((member) => element("li", {}, playerName(member, { own: member.id === app.player?.id }),
        member.id === group.owner && element("span", { class: "fine" }, t("talk.owner"))))),
      element("p", { class: "actions" }, link(`/board/today?among=group:${group.id}`, t("talk.board"), "button"))));
  return app.connection.watchTalk(group.id, take);
}
