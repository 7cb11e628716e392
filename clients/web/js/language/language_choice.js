/**
 * Which language the page speaks: the one that was chosen, else the first that the browser prefers and there is, else English.
 *
 * @typedef {{tag: string, name: string}} Language by its tag, "de", and its own name, "Deutsch"
 */
import { speak } from "./translate.js";
import { setting } from "../settings/settings.js";

/** @type {Promise<Language[]>|null} */
let listed = null;
/** The tag of the language spoken or being learnt. */
let spoken = "";

/** Every language there is. @returns {Promise<Language[]>} */
export function listLanguages() {
  listed ??= read("index").then(({ languages }) => languages, (problem) => {
    listed = null;
    throw problem;
  });
  return listed;
}

/**
 * The first wanted language that there is, a region's where only its language is there: "de" for "de-AT".
 * @param {readonly string[]} wanted
 * @param {string[]} tags of the languages there are
 */
export function choose(wanted, tags) {
  for (const tag of wanted) {
    const found = tags.find((one) => one === tag) ?? tags.find((one) => one === tag.split("-")[0]);
    if (found) return found;
  }
  return "en";
}

/** Speak the language that is to be spoken now. @returns {Promise<boolean>} whether it is another one than before */
export async function speakAsChosen() {
  const tags = (await listLanguages()).map(({ tag }) => tag);
  const tag = choose([String(setting("language")), ...navigator.languages].filter(Boolean), tags);
  if (tag === spoken) return false;
  spoken = tag;
  const file = await read(tag);
  if (tag !== spoken) return false;
  speak(tag, file);
  return true;
}

/** @param {string} name */
async function read(name) {
  const answer = await fetch(`/languages/${name}.json`);
  if (!answer.ok) throw new Error(`${name} ${answer.status}`);
  return answer.json();
}
