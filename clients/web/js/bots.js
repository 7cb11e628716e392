/** Making a bot: an account that a program plays under; its token is shown once. */
import { makeBot } from "./api.js";
import { copyButton } from "./copy.js";
import { element, fill } from "./dom.js";
import { nameOf } from "./people.js";

export function botForm() {
  const name = element("input", { id: "bot-name", required: true, minlength: 2, maxlength: 24, autocomplete: "off" });
  const problem = element("p", { class: "problem", role: "alert" });
  const made = element("div", { role: "status" });
  return element("section", { class: "panel" }, element("h2", {}, "Bots"),
    element("p", {}, "A program plays through the same interface as everybody, under a name of its own that is marked as a bot’s and has boards of its own."),
    element("form", { class: "line", on: {
      submit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        try {
          fill(made, shown(await makeBot(name.value.trim())));
          name.value = "";
        } catch (refusal) {
          problem.textContent = refusal.message;
        }
      },
    } }, element("label", { for: name.id }, "Name of the bot"),
    element("span", {}, name, element("button", { class: "button primary" }, "Make the bot")), problem), made);
}

function shown({ player, token }) {
  return element("div", { class: "secret" }, element("p", {}, nameOf(player), " plays with this token. It is shown now and never again:"),
    element("p", {}, element("code", {}, token)), element("p", { class: "actions" }, copyButton("Copy the token", token)),
    element("p", { class: "fine" }, "Sent as ", element("code", {}, "Authorization: Bearer …"), " it is the bot’s name and password in one."));
}
