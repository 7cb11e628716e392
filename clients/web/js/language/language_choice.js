/**
 * Which language the page speaks: the one that was chosen, else the first that the browser prefers and there is, else English.
 *
 * @typedef {{tag: string, name: string}} Language by its tag, "de", and its own name, "Deutsch"
 */
import { setting } from "../settings/settings.js";
import { setLanguage } from "./translate.js";

/** @type {Promise<Language[]>|null} */
let languageList = null;
/** The tag of the language spoken or being learnt. */
let currentTag = "";

/** Every language there is. @returns {Promise<Language[]>} */
export function listLanguages() {
  languageList ??= readLanguageFile("index").then(({ languages }) => languages, (problem) => {
    languageList = null;
    throw problem;
  });
  return languageList;
}

/**
 * The first wanted language that there is, a region's where only its language is there: "de" for "de-AT".
 * @param {readonly string[]} wanted
 * @param {string[]} tags of the languages there are
 */
export function pickLanguage(wanted, tags) {
  for (const tag of wanted) {
    const found = tags.find((one) => one === tag) ?? tags.find((one) => one === tag.split("-")[0]);
    if (found) return found;
  }
  return "en";
}

/** Speak the language that is to be spoken now. @returns {Promise<boolean>} whether it is another one than before */
export async function applyChosenLanguage() {
  const tags = (await listLanguages()).map(({ tag }) => tag);
  const tag = pickLanguage([String(setting("language")), ...navigator.languages].filter(Boolean), tags);
  if (tag === currentTag) return false;
  currentTag = tag;
  const file = await readLanguageFile(tag);
  if (tag !== currentTag) return false;
  setLanguage(tag, file);
  return true;
}

/** @param {string} name */
async function readLanguageFile(name) {
  const answer = await fetch(`/languages/${name}.json`);
  if (!answer.ok) throw new Error(`${name} ${answer.status}`);
  return answer.json();
}
