/**
 * Which language the page uses: the chosen one, else the first that the browser prefers and that exists, else English.
 *
 * @typedef {{tag: string, name: string}} Language by its tag, "de", and its own name, "Deutsch"
 */
import { served } from "../settings/served.js";
import { setting } from "../settings/settings.js";
import { setLanguage } from "./translate.js";

const COOKIE_SECONDS = 365 * 24 * 3600;

/** The tag of the language in use, or of the one that is loading. */
let currentTag = "";

/** Every language that the server has. @returns {Language[]} */
export const listLanguages = () => served.languages;

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
  const tags = listLanguages().map(({ tag }) => tag);
  const tag = pickLanguage([String(setting("language")), ...navigator.languages].filter(Boolean), tags);
  if (tag === currentTag) return false;
  currentTag = tag;
  const file = await readLanguageFile(tag);
  if (tag !== currentTag) return false;
  setLanguage(tag, file);
  document.documentElement.lang = tag;
  tellServer(tag);
  return true;
}

/** @param {string} tag @returns {Promise<{words: {[section: string]: import("./translate.js").Words}}>} */
async function readLanguageFile(tag) {
  const words = served.words?.[tag];
  if (words) return { words };
  const answer = await fetch(`${served.files}languages/${tag}.json`);
  if (!answer.ok) throw new Error(`${tag} ${answer.status}`);
  return answer.json();
}

/** Let the server expect this language from the next page on, if it expected another one. @param {string} tag */
function tellServer(tag) {
  if (!served.language || served.language === tag) return;
  document.cookie = `cadogan_language=${tag}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`;
}
