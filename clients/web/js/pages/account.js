/** Who one is here: a guest's name, a name of one's own with a password, signing in and out. */
import { beGuest, claimName, signIn, signOut } from "../api.js";
import { botForm } from "../bots.js";
import { button, element, fill, link } from "../dom.js";

/** @param {HTMLElement} root */
export async function show(root, _parameters, app) {
  app.title("Account");
  const again = () => show(root, {}, app);
  fill(root, element("header", { class: "heading" }, element("h1", {}, "You")), ...parts(app, again));
}

function parts(app, again) {
  const { player } = app;
  if (!player) return [nobody(app, again), signInForm(app, again)];
  if (player.guest) return [guest(player), element("div", { class: "pair" }, claimForm(app, again), signInForm(app, again))];
  return [element("section", { class: "panel" },
    element("p", { class: "lead" }, `You are signed in as ${player.name}.`),
    element("p", { class: "actions" }, ...ways(player), button("Sign out", async () => {
      await signOut();
      app.became(null);
      again();
    }))), botForm()];
}

function ways(player) {
  return [link(`/players/${player.id}`, "Your page", "button"), link("/people", "Friends and groups", "button")];
}

function nobody(app, again) {
  return element("section", { class: "panel" },
    element("p", {}, "You can play at once, without a name: the first game you begin makes you a guest."),
    button("Play as a guest", async () => {
      app.became(await beGuest());
      again();
    }));
}

function guest(player) {
  return element("section", { class: "panel" },
    element("p", { class: "lead" }, `You play as ${player.name}, a guest.`),
    element("p", { class: "fine" }, "Your games are kept in this browser’s name only. Claim a name and they are yours anywhere."),
    element("p", { class: "actions" }, ...ways(player)));
}

function claimForm(app, again) {
  return form("Claim a name", "Keep this name", "new-password", async (name, password) => {
    app.became(await claimName(name, password));
    again();
  });
}

function signInForm(app, again) {
  return form("Sign in", "Sign in", "current-password", async (name, password) => {
    app.became(await signIn(name, password));
    again();
  });
}

function form(title, action, kind, submit) {
  const key = kind.replace("-", "");
  const name = element("input", { id: `name-${key}`, name: "name", required: true, minlength: 2, maxlength: 24, autocomplete: "username" });
  const password = element("input", {
    id: `password-${key}`, name: "password", type: "password", required: true, minlength: 8, maxlength: 256, autocomplete: kind,
  });
  const problem = element("p", { class: "problem", role: "alert" });
  return element("form", {
    class: "panel form",
    on: {
      submit: async (event) => {
        event.preventDefault();
        problem.textContent = "";
        await submit(name.value.trim(), password.value).catch((refusal) => {
          problem.textContent = refusal.message;
        });
      },
    },
  }, element("h2", {}, title),
  element("label", { for: name.id }, "Name"), name,
  element("label", { for: password.id }, "Password (8 characters or more)"), password,
  problem, element("button", { class: "button primary" }, action));
}
