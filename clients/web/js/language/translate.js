/**
 * The reader's language: every text of the client by its key, and numbers and dates as the language writes them.
 *
 * A language is one file, `languages/<tag>.json`: `{"name": "English", "words": {"bar": {"today": "Today"}}}`. The key of a
 * text is the path to it, "bar.today". In a text `{name}` is a placeholder. A text that depends on a number is an object of
 * plural forms ("one", "few", "other"); the value `count` chooses the form.
 *
 * @typedef {string|number|Node} Value
 */

/** @typedef {string|{[key: string]: Words}} Words a string, its plural forms, or what lies under a name */

/** @type {{[section: string]: Words}} */
let words = {};
let tag = "en";
/** Made once for each language, because a single move uses them hundreds of times. */
let [numbers, plurals] = [new Intl.NumberFormat(tag), new Intl.PluralRules(tag)];

/** Use another language from now on. @param {string} newTag its tag, "de" @param {{words: {[section: string]: Words}}} file */
export function setLanguage(newTag, file) {
  tag = newTag;
  [numbers, plurals] = [new Intl.NumberFormat(tag), new Intl.PluralRules(tag)];
  words = file.words;
}

/** The tag of the language in use: "de". */
export function languageTag() {
  return tag;
}

/** The language in use, as `setLanguage` takes it. @returns {Parameters<typeof setLanguage>} */
export function languageInUse() {
  return [tag, { words }];
}

/** Whether a text with this key exists. @param {string} key */
export function hasText(key) {
  return findText(key) !== undefined;
}

/**
 * A text in the reader's language; the key itself if there is no text. Numbers among the values are formatted.
 * @param {string} key "game.cards_home"
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  return tNodes(key, values).join("");
}

/**
 * A text whose values may be elements, as a list of nodes and strings for `fill` or `element`.
 * @param {string} key
 * @param {Record<string, Value>} values
 * @returns {(string|Node)[]}
 */
export function tNodes(key, values) {
  return fillPlaceholders(pluralForm(findText(key), values) ?? key, values);
}

/**
 * A sentence of the server in the reader's language. The English text is the key, in the section "refusals". If this language
 * has no translation, the sentence stays in English.
 * @param {string} text "A group has at most {count} members."
 * @param {Record<string, string|number>} values
 */
export function translateSentence(text, values) {
  return fillPlaceholders(pluralForm(childOf(words.refusals, text), values) ?? text, values).join("");
}

/** @param {string} text @param {Record<string, Value>} values @returns {(string|Node)[]} */
function fillPlaceholders(text, values) {
  return text.split(/\{(\w+)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const value = values[part];
    return typeof value === "number" ? formatNumber(value) : value ?? "";
  }).filter((part) => part !== "");
}

/** The text, or its plural form for the value `count`. @param {Words|undefined} found @param {Record<string, Value>} values */
function pluralForm(found, values) {
  const form = typeof found === "object" ? found[plurals.select(Number(values.count))] ?? found.other : found;
  return typeof form === "string" ? form : undefined;
}

/** @param {string} key @returns {Words|undefined} */
function findText(key) {
  return key.split(".").reduce(childOf, /** @type {Words|undefined} */ (words));
}

/** The part of a branch with this name. @param {Words|undefined} branch @param {string} name @returns {Words|undefined} */
function childOf(branch, name) {
  return typeof branch === "object" && Object.hasOwn(branch, name) ? branch[name] : undefined;
}

/** A number as the language writes it: "1,234", "1.234". @param {number} value @param {Intl.NumberFormatOptions} [how] */
export function formatNumber(value, how) {
  return (how ? new Intl.NumberFormat(tag, how) : numbers).format(value).replace("-", "−");
}

/** A moment or a day as the language writes it. @param {number|Date} moment @param {Intl.DateTimeFormatOptions} how */
export function formatDate(moment, how) {
  return dateFormat(how).format(moment);
}

/**
 * A range of days; what both days share is said once: "16–22 November 2026".
 * @param {number} first
 * @param {number} last
 * @param {Intl.DateTimeFormatOptions} how
 */
export function formatDateRange(first, last, how) {
  return dateFormat(how).formatRange(first, last);
}

const dateFormat = (/** @type {Intl.DateTimeFormatOptions} */ how) => new Intl.DateTimeFormat(tag === "en" ? "en-GB" : tag, how);
