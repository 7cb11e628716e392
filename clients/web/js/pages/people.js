/** Friends that one follows, and groups with boards of their own. */
import { follow, leaveGroup, listFriends, listGroups, makeGroup, unfollow } from "../api.js";
import { ask } from "../ask.js";
import { counted } from "../cards.js";
import { copyButton } from "../copy.js";
import { button, element, fill, link } from "../dom.js";
import { nameOf } from "../people.js";

/** @param {HTMLElement} root */
export async function show(root, _parameters, app) {
  app.title("Friends and groups");
  const heading = element("header", { class: "heading" }, element("h1", {}, "Friends and groups"));
  if (!app.player) {
    fill(root, heading, element("section", { class: "panel" }, element("p", {}, "Friends and groups are kept with your name here. ",
      link("/account", "Sign in, or play as a guest"), " first.")));
    return;
  }
  const friends = element("section", { class: "panel" });
  const groups = element("section", { class: "panel" });
  fill(root, heading, element("div", { class: "pair" }, friends, groups));
  await Promise.all([showFriends(friends), showGroups(groups)]);
}

async function showFriends(place) {
  const friends = await listFriends();
  const again = () => showFriends(place);
  fill(place, element("h2", {}, "Friends"),
    element("p", {}, "Follow people by their names, and there are boards of them alone. Nobody is told that you follow them."),
    nameForm({ label: "Name", action: "Follow", id: "friend", submit: (name) => follow(name).then(again) }),
    element("ul", { class: "rows" }, friends.map((friend) => element("li", {}, nameOf(friend),
      named(button("Unfollow", () => unfollow(friend.name).then(again), "quiet"), `Unfollow ${friend.name}`)))),
    friends.length > 0 && element("p", { class: "actions" }, link("/board/today?among=friends", "Today’s board of friends", "button")));
}

async function showGroups(place) {
  const groups = await listGroups();
  const again = () => showGroups(place);
  fill(place, element("h2", {}, "Groups"),
    element("p", {}, "A club’s own boards. Whoever has the link can join."),
    nameForm({ label: "Name of a new group", action: "Make it", id: "group", submit: (name) => makeGroup(name).then(again) }),
    element("ul", { class: "rows groups" }, groups.map((group) => groupRow(group, again))));
}

function groupRow(group, again) {
  const leave = async () => {
    if (await ask(`Leave ${group.name}? You can come back by its link only.`, "Leave")) await leaveGroup(group.id).then(again);
  };
  const address = `${location.origin}/join/${group.token}`;
  return element("li", {},
    link(`/board/today?among=group:${group.id}`, group.name),
    element("span", { class: "fine" }, counted(group.members.length, "member")),
    element("p", { class: "actions" }, copyButton("Copy the link to join", address),
      named(button("Leave", leave, "quiet"), `Leave ${group.name}`)),
    element("p", { class: "fine members" }, group.members.map((member) => nameOf(member))));
}

function named(made, words) {
  made.setAttribute("aria-label", words);
  return made;
}

function nameForm({ label, action, id, submit }) {
  const name = element("input", { id, required: true, minlength: 2, maxlength: 40, autocomplete: "off" });
  const problem = element("p", { class: "problem", role: "alert" });
  return element("form", { class: "line", on: {
    submit: (event) => {
      event.preventDefault();
      problem.textContent = "";
      submit(name.value.trim()).catch((refusal) => {
        problem.textContent = refusal.message;
      });
    },
  } }, element("label", { for: id }, label), element("span", {}, name, element("button", { class: "button primary" }, action)), problem);
}
