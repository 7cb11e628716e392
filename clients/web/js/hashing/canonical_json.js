/** Canonical JSON: one text for each value, so that it can be hashed. */

/** The order of two texts by code points, which is the order of their bytes in UTF-8. @param {string} one @param {string} other */
function compareCodePoints(one, other) {
  const [left, right] = [[...one], [...other]];
  const at = left.findIndex((letter, index) => letter !== right[index]);
  if (at < 0) return left.length - right.length;
  return at >= right.length ? 1 : Number(left[at].codePointAt(0)) - Number(right[at].codePointAt(0));
}

/** JSON with sorted keys and without spaces. @param {any} value @returns {string} */
export function canonicalJson(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const one of value) text += `${text && ","}${canonicalJson(one)}`;
    return `[${text}]`;
  }
  for (const key of sortedKeys(value)) text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(value[key])}`;
  return `{${text}}`;
}

/** The keys in the order of their bytes; without a surrogate that is the order of their UTF-16 units. @param {object} value */
function sortedKeys(value) {
  const keys = Object.keys(value);
  return keys.some((key) => /[^\0-\ud7ff]/.test(key)) ? keys.sort(compareCodePoints) : keys.sort();
}
