/**
 * The reader's language: every string of the client by its key, and numbers and times as that language writes them.
 *
 * A language is one file, `languages/<tag>.json`: `{"name": "English", "words": {"bar": {"today": "Today"}}}`. A string is
 * named by the way to it, "bar.today". In it `{name}` stands for a value; a string that depends on a number is an object of
 * plural forms ("one", "few", "other") and is chosen by the value `count`.
 *
 * @typedef {string|number|Node} Value
 */

/** @typedef {string|{[key: string]: Words}} Words a string, its plural forms, or what lies under a name */

/** @type {{[section: string]: Words}} */
let words = {};
let tag = "en";
/** Made once a language: they are asked for hundreds of times a move. */
let [numbers, plurals] = [new Intl.NumberFormat(tag), new Intl.PluralRules(tag)];

/** Speak another language from now on. @param {string} language its tag, "de" @param {{words: {[section: string]: Words}}} file */
export function speak(language, file) {
  tag = language;
  [numbers, plurals] = [new Intl.NumberFormat(tag), new Intl.PluralRules(tag)];
  words = file.words;
  if (globalThis.document) document.documentElement.lang = language;
}

/** The tag of the language spoken, "de". */
export function language() {
  return tag;
}

/** Whether there is a string of this name. @param {string} key */
export function knows(key) {
  return find(key) !== undefined;
}

/**
 * A string in the reader's language; its own key where there is none. Numbers among the values are written by its rules.
 * @param {string} key "game.cards_home"
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  return pieces(key, values).join("");
}

/**
 * The same with elements among the values: what to put into one element, in order.
 * @param {string} key
 * @param {Record<string, Value>} values
 * @returns {(string|Node)[]}
 */
export function pieces(key, values) {
  return filled(chosen(find(key), values) ?? key, values);
}

/**
 * A sentence that the server said in English, its values put in: translated by its own text, in the section "refusals", and
 * in English where this language does not know it.
 * @param {string} text "A group has at most {count} members."
 * @param {Record<string, string|number>} values
 */
export function sentence(text, values) {
  return filled(chosen(under(words.refusals, text), values) ?? text, values).join("");
}

/** @param {string} text @param {Record<string, Value>} values @returns {(string|Node)[]} */
function filled(text, values) {
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const value = values[part];
    return typeof value === "number" ? number(value) : value ?? "";
  }).filter((part) => part !== "");
}

/** A string, or the plural form that fits. @param {Words|undefined} found @param {Record<string, Value>} values */
function chosen(found, values) {
  const form = typeof found === "object" ? found[plurals.select(Number(values.count))] ?? found.other : found;
  return typeof form === "string" ? form : undefined;
}

/** @param {string} key @returns {Words|undefined} */
function find(key) {
  return key.split(".").reduce(under, /** @type {Words|undefined} */ (words));
}

/** What lies under a name. @param {Words|undefined} branch @param {string} name @returns {Words|undefined} */
function under(branch, name) {
  return typeof branch === "object" && Object.hasOwn(branch, name) ? branch[name] : undefined;
}

/** A number as the language writes it: "1,234", "1.234". @param {number} value @param {Intl.NumberFormatOptions} [how] */
export function number(value, how) {
  return (how ? new Intl.NumberFormat(tag, how) : numbers).format(value).replace("-", "−");
}

/** A moment or a day as the language writes it. @param {number|Date} moment @param {Intl.DateTimeFormatOptions} how */
export function date(moment, how) {
  return dates(how).format(moment);
}

/**
 * From one day to another, what they share said once: "16–22 November 2026".
 * @param {number} first
 * @param {number} last
 * @param {Intl.DateTimeFormatOptions} how
 */
export function dateSpan(first, last, how) {
  return dates(how).formatRange(first, last);
}

const dates = (/** @type {Intl.DateTimeFormatOptions} */ how) => new Intl.DateTimeFormat(tag === "en" ? "en-GB" : tag, how);
