/**
 * Reads JSON from a file that somebody may have made to deceive: every verifier must read the same in the same bytes.
 *
 * `docs/record.md` lists what is refused although `JSON.parse` reads it: numbers with a fraction or an exponent, -0, numbers beyond
 * 2^53 - 1, a key twice in one object, half of a surrogate pair, a byte order mark, and deep nesting. The same in Python is
 * `server/core/untrusted_input.py`.
 */

/** Objects and arrays inside each other, at most. A record has 6. */
export const MAX_NESTING = 16;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const FIRST_PRINTABLE = 0x20;
const WORD = /-?[0-9a-zA-Z.+-]+/y;
const INTEGER = /^(?:0|-?[1-9][0-9]{0,15})$/;
/** @type {Map<string, unknown>} */
const NAMES = new Map([["true", true], ["false", false], ["null", null]]);

/** A text that is not JSON as a record has it. `part` is what is wrong: "json", "numbers", "keys", "text" or "nesting". */
export class UnreadableJson extends Error {
  /** @param {string} part */
  constructor(part) {
    super(part);
    this.part = part;
  }
}

/**
 * The value of a JSON text.
 * @param {string} text
 * @returns {any}
 * @throws {UnreadableJson}
 */
export function readJson(text) {
  let at = 0;

  /** Go to the next character that is no space, and return its code; NaN at the end. */
  function next() {
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(at += 1);
    return code;
  }

  /** @param {number} depth how many objects and arrays are around the value @returns {any} */
  function value(depth) {
    const code = next();
    if (code === QUOTE) return string();
    if (code !== OPEN_LIST && code !== OPEN_OBJECT) return word();
    if (depth === MAX_NESTING) throw new UnreadableJson("nesting");
    at += 1;
    return code === OPEN_LIST ? list(depth + 1) : object(depth + 1);
  }

  /** Whether a comma follows, and so another member; else the closing bracket must. @param {number} close */
  function more(close) {
    const code = next();
    at += 1;
    if (code === COMMA) return true;
    if (code !== close) throw new UnreadableJson("json");
    return false;
  }

  /** @param {number} depth */
  function list(depth) {
    /** @type {any[]} */
    const found = [];
    if (next() === CLOSE_LIST) return at += 1, found;
    do found.push(value(depth)); while (more(CLOSE_LIST));
    return found;
  }

  /** @param {number} depth */
  function object(depth) {
    /** @type {Record<string, any>} */
    const found = {};
    if (next() === CLOSE_OBJECT) return at += 1, found;
    do {
      if (next() !== QUOTE) throw new UnreadableJson("json");
      const key = string();
      if (Object.hasOwn(found, key)) throw new UnreadableJson("keys");
      if (next() !== COLON) throw new UnreadableJson("json");
      at += 1;
      const inner = value(depth);
      if (key === "__proto__") Object.defineProperty(found, key, { value: inner, enumerable: true });
      else found[key] = inner;
    } while (more(CLOSE_OBJECT));
    return found;
  }

  function string() {
    const start = at;
    let escaped = false;
    for (at += 1; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      if (!(code >= FIRST_PRINTABLE)) throw new UnreadableJson("json"); // a control character, or the end
      if (code === BACKSLASH) {
        escaped = true;
        at += 1;
      }
    }
    at += 1;
    return escaped ? unescape(text.slice(start, at)) : text.slice(start + 1, at - 1);
  }

  function word() {
    WORD.lastIndex = at;
    const found = WORD.exec(text)?.[0];
    if (found === undefined) throw new UnreadableJson("json");
    at += found.length;
    if (NAMES.has(found)) return NAMES.get(found);
    if (!INTEGER.test(found) || !Number.isSafeInteger(Number(found))) throw new UnreadableJson("numbers");
    return Number(found);
  }

  const found = value(0);
  if (!Number.isNaN(next())) throw new UnreadableJson("json");
  return found;
}

/** A text with escape sequences, in quotes. @param {string} quoted */
function unescape(quoted) {
  let found;
  try {
    found = JSON.parse(quoted);
  } catch {
    throw new UnreadableJson("json");
  }
  if (/\p{Surrogate}/u.test(found)) throw new UnreadableJson("text");
  return found;
}
