/**
 * The reader's settings: kept in this browser, so that they take effect at once, and with the account for other browsers.
 *
 * A setting has a name and a few possible values. A setting that was never chosen has its first value. `colours.<rules>` is the
 * choice for one game. What the style sheets need is written to `<html>` as data attributes: `data-theme`, `data-motion` and so
 * on.
 *
 * @typedef {string|boolean} Setting
 * @typedef {Record<string, Setting>} Choices
 * @import { Settings } from "wire"
 * @typedef {{read: () => Promise<Settings|null>, write: (settings: Settings) => Promise<unknown>}} Account what keeps them there
 */

/** Every setting with its values. The first value is the default. @type {Record<string, Setting[]>} */
export const SETTINGS = {
  language: [""],
  theme: ["system", "light", "dark"],
  table: ["green", "blue", "wine", "slate"],
  faces: ["standard", "large"],
  design: ["pictures", "simple", "corners"],
  backs: ["lattice", "waves", "stars", "plain"],
  colours: ["game", "two", "four"],
  hand: ["right", "left"],
  motion: ["full", "quick", "off"],
  oneTap: [true, false],
  finish: [true, false],
  finishAlone: [false, true],
  ask: [true, false],
  sound: [false, true],
  clock: [true, false],
  score: [true, false],
  notation: ["words", "short"],
  puzzles: [true, false],
  winnable: [false, true],
};

const STORAGE_KEY = "cadogan.settings";
const ATTRIBUTES = ["theme", "table", "faces", "motion", "hand", "colours"];
const MAX_GAMES_WITH_COLOURS = 200;

/** @type {Choices} */
let chosen = {};
/** The names of the settings that were changed here and are not saved with the account yet. @type {Set<string>} */
let unsent = new Set();
/** @type {Account|null} */
let account = null;
/** The account whose settings are being loaded. @type {Account|null} */
let loadingAccount = null;
/** @type {Promise<void>|null} */
let sending = null;
/** @type {Set<() => void>} */
const listeners = new Set();
const reducedMotion = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)");

/**
 * The value of a setting now. Motion is "off" wherever the reader's system asks for reduced motion.
 * @param {string} name
 * @returns {Setting|undefined}
 */
export function setting(name) {
  if (name === "motion" && reducedMotion?.matches) return "off";
  return chosenSetting(name) ?? (name.startsWith("colours.") ? setting("colours") : SETTINGS[name]?.[0]);
}

/** The value that the reader chose; undefined where nothing was chosen. @param {string} name @returns {Setting|undefined} */
export function chosenSetting(name) {
  return chosen[name];
}

/**
 * Change settings. They take effect at once, and are saved with the account in the background. The value "game" for the colours
 * of one game removes that choice.
 * @param {Choices} changes
 */
export function changeSettings(changes) {
  setChosen({ ...chosen, ...changes });
  for (const name of Object.keys(changes)) unsent.add(name);
  saveInBrowser();
  notifyListeners();
  startSending();
}

/** Call a listener at every change of settings. The answer stops it. @param {() => void} listener @returns {() => void} stops it */
export function onSettingsChange(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Use the settings of this account from now on; null when nobody is signed in. The account's settings replace those of this
 * browser, except for changes that the account does not have yet. If the account has no settings, it takes over this browser's.
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

/** Keep the choices that are allowed and differ from the default. @param {Choices} wanted */
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

/** Send what is unsent. Only one request is open at a time; later changes go with the next one. */
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

/** The choices in the form in which the server stores them. @param {Choices} choices @returns {Settings} */
function toWire(choices) {
  const { oneTap, finishAlone, ...rest } = choices;
  const games = Object.entries(rest).filter(([name]) => name.startsWith("colours."));
  const wanted = {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith("colours."))),
    ...(oneTap === undefined ? {} : { one_tap: oneTap }),
    ...(finishAlone === undefined ? {} : { finish_alone: finishAlone }),
    ...(games.length ? { game_colours: Object.fromEntries(games.map(([name, value]) => [name.slice("colours.".length), value])) } : {}),
  };
  return /** @type {Settings} */ (wanted);
}

/** The choices from the form in which the server stores them. @param {Settings} kept @returns {Choices} */
function fromWire({ one_tap: oneTap = true, finish_alone: finishAlone = false, game_colours: games = {}, ...rest }) {
  return { ...rest, oneTap, finishAlone, ...Object.fromEntries(Object.entries(games).map(([rules, value]) => [`colours.${rules}`, value])) };
}

function saveInBrowser() {
  try {
    globalThis.localStorage?.setItem(STORAGE_KEY, JSON.stringify({ chosen, unsent: [...unsent] }));
  } catch {
    // This browser stores nothing: the choices hold until the reader leaves the page.
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
