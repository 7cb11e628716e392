/**
 * Which language the page uses: the chosen one, else the first that the browser prefers and that exists, else English.
 *
 * @typedef {{tag: string, name: string}} Language by its tag, "de", and its own name, "Deutsch"
 */
import { setting } from "../settings/settings.js";
import { setLanguage } from "./translate.js";

/** @type {Promise<Language[]>|null} */
let languageList = null;
/** The tag of the language in use, or of the one that is loading. */
let currentTag = "";

/** Every language that the server has. @returns {Promise<Language[]>} */
export function listLanguages() {
  languageList ??= readLanguageFile("index").then(({ languages }) => languages, (problem) => {
    languageList = null;
    throw problem;
  });
  return languageList;
}

/**
 * The first wanted language that exists. For a region the language itself is enough: "de" for "de-AT".
 * @param {readonly string[]} wanted
 * @param {string[]} tags of the languages that exist
 */
export function pickLanguage(wanted, tags) {
  for (const tag of wanted) {
    const found = tags.find((one) => one === tag) ?? tags.find((one) => one === tag.split("-")[0]);
    if (found) return found;
  }
  return "en";
}

/**
 * Load and use the chosen language. The answer says whether it is another one than before.
 * @returns {Promise<boolean>} whether it is another one than before
 */
export async function applyChosenLanguage() {
  const tags = (await listLanguages()).map(({ tag }) => tag);
  const tag = pickLanguage([String(setting("language")), ...navigator.languages].filter(Boolean), tags);
  if (tag === currentTag) return false;
  currentTag = tag;
  const file = await readLanguageFile(tag);
  if (tag !== currentTag) return false;
  setLanguage(tag, file);
  document.documentElement.lang = tag;
  return true;
}

/** @param {string} name */
async function readLanguageFile(name) {
  const answer = await fetch(`/languages/${name}.json`);
  if (!answer.ok) throw new Error(`${name} ${answer.status}`);
  return answer.json();
}
