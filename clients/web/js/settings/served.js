/**
 * What the server wrote into the page for its scripts: where the files are, and the languages.
 *
 * @typedef {Object} Served
 * @property {string} files the address below which scripts, style sheets and languages are
 * @property {{tag: string, name: string}[]} languages every language, by its tag, "de", and its own name, "Deutsch"
 * @property {string} [language] the language that the server expects the page to use, and has named for it
 * @property {{name: string, announcement: string, rules: boolean}} [branding] its name, what it announces, and whether it has rules of its own
 * @property {Record<string, {[section: string]: any}>} [words] the texts of the page itself, by language
 */

/** @returns {Served} */
function readServed() {
  const text = globalThis.document?.getElementById("served")?.textContent;
  return text ? JSON.parse(text) : { files: "/", languages: [] };
}

export const served = readServed();

/** Whether all modules and style sheets came in one file each. */
export const isBundled = served.files !== "/";
