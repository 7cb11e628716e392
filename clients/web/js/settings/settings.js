/**
 * How somebody likes the page: kept in the browser for at once, and with the account for every other browser.
 *
 * A setting has a name and one of few values; what was never chosen has its first value. `colours.<rules>` is the choice for
 * one game. What the style sheets need stands as data attributes on `<html>`: `data-theme`, `data-motion` and so on.
 *
 * @typedef {string|boolean} Setting
 * @typedef {Record<string, Setting>} Choices
 * @import { Settings } from "wire"
 * @typedef {{read: () => Promise<Settings|null>, write: (settings: Settings) => Promise<unknown>}} Account what keeps them there
 */

/** Every setting with its values, the first one being what it is before anybody chooses. @type {Record<string, Setting[]>} */
export const SETTINGS = {
  language: [""],
  theme: ["system", "light", "dark"],
  table: ["green", "blue", "wine", "slate"],
  faces: ["standard", "large"],
  colours: ["game", "two", "four"],
  hand: ["right", "left"],
  motion: ["full", "quick", "off"],
  oneTap: [true, false],
  finish: [true, false],
  clock: [true, false],
  score: [true, false],
  notation: ["words", "short"],
};

const STORAGE_KEY = "cadogan.settings";
const ATTRIBUTES = ["theme", "table", "faces", "motion", "hand", "colours"];
const MAX_GAMES_WITH_COLOURS = 200;

/** @type {Choices} */
let chosen = {};
/** The names of what was changed here and is not with the account yet. @type {Set<string>} */
let unsent = new Set();
/** @type {Account|null} */
let account = null;
/** The account whose settings are being read. @type {Account|null} */
let loadingAccount = null;
/** @type {Promise<void>|null} */
let sending = null;
/** @type {Set<() => void>} */
const listeners = new Set();
const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/** What holds now. Motion is "off" wherever the system asks for less of it. @param {string} name @returns {Setting|undefined} */
export function setting(name) {
  if (name === "motion" && reducedMotion?.matches) return "off";
  return chosenSetting(name) ?? (name.startsWith("colours.") ? setting("colours") : SETTINGS[name]?.[0]);
}

/** What somebody chose; undefined where nobody did. @param {string} name @returns {Setting|undefined} */
export function chosenSetting(name) {
  return chosen[name];
}

/**
 * Choose: holds at once, and is kept with the account in the background. "game" for one game forgets its choice.
 * @param {Choices} changes
 */
export function changeSettings(changes) {
  setChosen({ ...chosen, ...changes });
  for (const name of Object.keys(changes)) unsent.add(name);
  saveInBrowser();
  notifyListeners();
  startSending();
}

/** Hear of every change. @param {() => void} listener @returns {() => void} stops it */
export function onSettingsChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Somebody sits here now; null for nobody. What their account has kept holds from now on, but for what was changed here and
 * it does not know yet; an account that has kept nothing takes over what was chosen here.
 * @param {Account|null} theirs
 */
export async function useSettingsOf(theirs) {
  account = null;
  loadingAccount = theirs;
  const kept = await theirs?.read().catch(() => undefined);
  if (kept === undefined || loadingAccount !== theirs) return;
  account = theirs;
  if (kept) {
    setChosen({ ...fromWire(kept), ...Object.fromEntries([...unsent].map((name) => [name, chosen[name]])) });
    saveInBrowser();
    notifyListeners();
  } else {
    unsent = new Set(Object.keys(chosen));
  }
  await startSending();
}

/** Keeps what is allowed and is not what it would be anyway. @param {Choices} wanted */
function setChosen(wanted) {
  const games = Object.keys(wanted).filter((name) => name.startsWith("colours."));
  const tooMany = new Set(games.slice(0, Math.max(0, games.length - MAX_GAMES_WITH_COLOURS)));
  chosen = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => isAllowed(name, value) && !tooMany.has(name)));
}

/** @param {string} name @param {Setting} value */
function isAllowed(name, value) {
  if (name === "language") return typeof value === "string" && value !== "" && value.length <= 35;
  if (name.startsWith("colours.")) return value === "two" || value === "four";
  return Object.hasOwn(SETTINGS, name) && SETTINGS[name].slice(1).includes(value);
}

/** One sending at a time; what changes meanwhile goes with the next. */
function startSending() {
  if (account && unsent.size) sending ??= sendUnsent().finally(() => { sending = null; });
  return sending;
}

async function sendUnsent() {
  while (account && unsent.size) {
    const [to, sent] = [account, unsent];
    unsent = new Set();
    try {
      await to.write(toWire(chosen));
    } catch {
      for (const name of sent) unsent.add(name);
      if (account === to) break;
    }
  }
  saveInBrowser();
}

/** The choices as the server keeps them. @param {Choices} choices @returns {Settings} */
function toWire(choices) {
  const { oneTap, ...rest } = choices;
  const games = Object.entries(rest).filter(([name]) => name.startsWith("colours."));
  const wanted = {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith("colours."))),
    ...(oneTap === undefined ? {} : { one_tap: oneTap }),
    ...(games.length ? { game_colours: Object.fromEntries(games.map(([name, value]) => [name.slice("colours.".length), value])) } : {}),
  };
  return /** @type {Settings} */ (wanted);
}

/** @param {Settings} kept @returns {Choices} */
function fromWire({ one_tap: oneTap = true, game_colours: games = {}, ...rest }) {
  return { ...rest, oneTap, ...Object.fromEntries(Object.entries(games).map(([rules, value]) => [`colours.${rules}`, value])) };
}

function saveInBrowser() {
  try {
    globalThis.localStorage?.setItem(STORAGE_KEY, JSON.stringify({ chosen, unsent: [...unsent] }));
  } catch {
    // A browser that keeps nothing; what was chosen holds until the page is left.
  }
}

function loadFromBrowser() {
  try {
    const kept = JSON.parse(globalThis.localStorage?.getItem(STORAGE_KEY) ?? "{}");
    setChosen(kept.chosen ?? {});
    unsent = new Set(kept.unsent ?? []);
  } catch {
    setChosen({});
  }
}

function notifyListeners() {
  if (globalThis.document) {
    for (const name of ATTRIBUTES) document.documentElement.dataset[name] = String(setting(name));
  }
  for (const listener of [...listeners]) listener();
}

loadFromBrowser();
notifyListeners();
reducedMotion?.addEventListener("change", notifyListeners);
globalThis.addEventListener?.("storage", ({ key }) => {
  if (key !== STORAGE_KEY) return;
  loadFromBrowser();
  notifyListeners();
});
