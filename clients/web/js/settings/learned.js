/**
 * What the reader has been shown in this browser and needs not be shown again: games by their slug, and first moves by name.
 * A star stands for everything.
 */
const STORAGE_KEY = "cadogan.learned";
const EVERYTHING = "*";

/** What was learned while the browser stores nothing: it holds until the reader leaves the page. @type {Set<string>} */
const unstored = new Set();

/** @param {string} name */
export function hasLearned(name) {
  const known = read();
  return known.includes(name) || known.includes(EVERYTHING) || unstored.has(name);
}

/** @param {string} name */
export function learn(name) {
  if (hasLearned(name)) return;
  unstored.add(name);
  try {
    globalThis.localStorage?.setItem(STORAGE_KEY, JSON.stringify([...read(), name]));
  } catch {
    // `unstored` has it.
  }
}

/** @returns {string[]} */
function read() {
  try {
    const kept = JSON.parse(globalThis.localStorage?.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
