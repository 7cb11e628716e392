/** The page: finds the right part for an address, and keeps one connection and one account for all of them. */
import { whoAmI, beGuest } from "./api.js";
import { connectHere } from "./connection.js";
import { element, fill } from "./dom.js";
import { findPage } from "./router.js";

const main = document.getElementById("main");
const account = document.getElementById("account-link");
const signal = document.getElementById("signal");

const app = {
  player: null,
  connection: connectHere(),

  /** Somebody to play as: whoever is signed in, else a new guest. */
  async needPlayer() {
    if (!app.player) app.became(await beGuest());
    return app.player;
  },

  /** Another person sits at this browser now. */
  became(player) {
    app.player = player;
    account.textContent = player ? player.name : "Sign in";
    app.connection.renew();
  },

  /** Go to an address inside the page. @param {string} path */
  go(path, { replace = false } = {}) {
    history[replace ? "replaceState" : "pushState"]({}, "", path);
    open();
  },

  /** Name the page in the browser's own bar. @param {string} name */
  title(name) {
    document.title = name ? `${name} · Cadogan` : "Cadogan";
  },
};

let leave = null;
let opening = 0;

async function open() {
  opening += 1;
  const mine = opening;
  leave?.();
  leave = null;
  const { load, parameters, name } = findPage(location.pathname);
  document.body.dataset.page = name;
  for (const anchor of document.querySelectorAll("#bar nav a")) {
    if (anchor.dataset.pages.split(" ").includes(name)) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const root = element("div", { class: `page ${name}` });
  fill(main, root);
  scrollTo(0, 0);
  if (mine > 1) main.focus({ preventScroll: true });
  try {
    const page = await load();
    if (mine !== opening) return;
    const left = await page.show(root, parameters, app);
    if (mine === opening) leave = left ?? null;
    else left?.();
  } catch (problem) {
    if (mine === opening) fill(root, element("section", { class: "panel notice" }, element("h1", {}, "That did not work"),
      element("p", {}, problem.message), element("p", {}, element("a", { href: "/" }, "Back to today’s challenge"))));
    if (!problem.code) throw problem;
  }
}

document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!anchor || !plain || anchor.origin !== location.origin || anchor.hasAttribute("download")) return;
  if (anchor.target || anchor.pathname.startsWith("/api/")) return;
  event.preventDefault();
  if (anchor.hash && anchor.pathname === location.pathname) {
    document.getElementById(anchor.hash.slice(1))?.scrollIntoView();
  } else {
    app.go(anchor.pathname + anchor.search);
  }
});
addEventListener("popstate", open);
app.connection.watch((isOpen) => {
  signal.hidden = isOpen;
});

app.player = await whoAmI().catch(() => null);
account.textContent = app.player ? app.player.name : "Sign in";
open();
