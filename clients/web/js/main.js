/**
 * The entry point of every page: finds the page for an address, and keeps one connection and one player for all pages.
 *
 * @import { Player } from "wire"
 * @typedef {typeof app} App what every page is given
 */
import { dayAt } from "./language/calendar.js";
import { nameWords } from "./language/format.js";
import { applyChosenLanguage } from "./language/language_choice.js";
import { refusalWords } from "./language/refusals.js";
import { t } from "./language/translate.js";
import { readCurrentPlayer, readSettings, Refusal, saveSettings, signInAsGuest } from "./net/api.js";
import { connectHere } from "./net/connection.js";
import { followLine } from "./net/line.js";
import { serverNow } from "./net/server_clock.js";
import { findPage } from "./router.js";
import { served } from "./settings/served.js";
import { onSettingsChange, useSettingsOf } from "./settings/settings.js";
import { makeAnnouncementClosable, registerWorker, translateMarkedElements } from "./shell.js";
import { element, fill, findElement } from "./ui/dom.js";

const main = findElement(document, "#main");
const account = findElement(document, "#account-link");
const signal = findElement(document, "#signal");
/** Stands in for a page until the page has something to show. */
const skeleton = findElement(main, ".skeleton");

const app = {
  /** The player who is signed in, guests included; null for nobody. @type {Player|null} */
  player: null,
  connection: connectHere(),

  /** Make sure that somebody is signed in: if nobody is, sign in as a new guest. @returns {Promise<void>} */
  async ensurePlayer() {
    if (!app.player) app.setPlayer(await signInAsGuest(), { isNew: true });
  },

  /** Note that another player is signed in now, a new one perhaps, or nobody. @param {Player|null} player */
  setPlayer(player, { isNew = false } = {}) {
    app.player = player;
    useSettingsOf(player && { read: isNew ? async () => null : readSettings, write: saveSettings });
    showAccountName();
    app.connection.reconnect();
  },

  /** Go to an address of the client. @param {string} path */
  go(path, { replace = false } = {}) {
    if (!replace) history.replaceState({ scroll: scrollY }, "");
    history[replace ? "replaceState" : "pushState"]({}, "", path);
    openPage();
  },

  /** Set the title of the page. @param {string} name */
  title(name) {
    const house = served.branding?.name || "Cadogan";
    document.title = name ? t("titles.page", { name, house }) : house;
  },
};

/** @type {import("./router.js").Leave|null} */
let leave = null;
let opening = 0;
/** Whether the page could not be opened because no server was reached. */
let hasFailed = false;
/** Pages that show other things when a day has begun. */
const DAY_PAGES = ["home", "daily", "calendar", "boards"];
const DAY_CHECK_MILLISECONDS = 20000;
/** The server opens a day at its beginning, but not in the same instant. */
const DAY_BEGINS_MILLISECONDS = 5000;
const dayNow = () => dayAt(serverNow() - DAY_BEGINS_MILLISECONDS);
/** The day on which the page was opened. */
let dayOpened = "";

/** Show the page of the address, from its top; after "back", from where the reader had left it. @param {number} [scroll] */
async function openPage(scroll = 0) {
  opening += 1;
  const mine = opening;
  leave?.();
  leave = null;
  hasFailed = false;
  dayOpened = dayNow();
  const { load, parameters, name } = findPage(location.pathname);
  document.body.dataset.page = name;
  for (const anchor of document.querySelectorAll("#bar nav a")) {
    if (anchor.getAttribute("data-pages")?.split(" ").includes(name)) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const root = element("div", { class: `page ${name}${mine > 1 ? " later" : ""}` });
  fill(main, root, skeleton);
  scrollTo(0, 0);
  if (mine > 1) main.focus({ preventScroll: true });
  if (mine === 2) registerWorker(); // not with the first page, which would have to share a slow line with it
  try {
    const page = await load();
    if (mine !== opening) return;
    const left = await page.show(root, parameters, app);
    if (mine !== opening) {
      left?.();
      return;
    }
    leave = left ?? null;
    if (scroll) scrollTo(0, scroll);
  } catch (problem) {
    if (mine === opening) app.title(t("shell.failed"));
    if (mine === opening) hasFailed = problem instanceof Refusal && problem.code === "offline";
    if (mine === opening) fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("shell.failed")),
      element("p", {}, refusalWords(problem)), element("p", {}, element("a", { href: "/" }, t("shell.back")))));
    if (!(problem instanceof Refusal)) throw problem;
  }
}

/** Show the page again if it shows a day and another one has begun, but not under an open dialog, and not without a line. */
function showNewDay() {
  if (opening === 0 || dayNow() === dayOpened || !DAY_PAGES.includes(document.body.dataset.page ?? "")) return;
  if (signal.hidden && !document.querySelector("dialog[open]")) openPage(scrollY);
}

document.addEventListener("click", (event) => {
  const anchor = event.target instanceof Element && /** @type {HTMLAnchorElement|null} */ (event.target.closest("a[href]"));
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!anchor || !plain || anchor.origin !== location.origin || anchor.hasAttribute("download")) return;
  if (anchor.target || anchor.pathname.startsWith("/api/")) return;
  event.preventDefault();
  if (anchor.hash && anchor.pathname === location.pathname) {
    const goal = document.getElementById(anchor.hash.slice(1));
    goal?.scrollIntoView();
    goal?.focus({ preventScroll: true });
  } else {
    app.go(anchor.pathname + anchor.search);
  }
});
addEventListener("popstate", ({ state }) => openPage(state?.scroll));
followLine(app.connection, {
  show(line) {
    signal.hidden = line === "good";
    if (line !== "good") signal.textContent = t(`shell.${line}`);
    document.body.dataset.line = line;
  },
  lookAgain: () => (hasFailed ? openPage(scrollY) : showNewDay()),
});
setInterval(showNewDay, DAY_CHECK_MILLISECONDS);

/** Show in the bar who is signed in. */
function showAccountName() {
  account.textContent = app.player ? nameWords(app.player) : t("bar.sign_in");
}

/** Translate the bar and what else is around every page. */
function translateFrame() {
  translateMarkedElements();
  makeAnnouncementClosable();
  showAccountName();
}

/** Use the chosen language. If it is another one than before, show the page again; games are on the server and lose nothing. */
async function applyLanguage() {
  const focused = document.activeElement?.id;
  if (!await applyChosenLanguage()) return;
  translateFrame();
  await openPage();
  document.getElementById(focused ?? "")?.focus();
}

const [player] = await Promise.all([readCurrentPlayer().catch(() => null), applyChosenLanguage()]);
onSettingsChange(applyLanguage);
app.player = player;
useSettingsOf(player && { read: readSettings, write: saveSettings });
translateFrame();
openPage();
