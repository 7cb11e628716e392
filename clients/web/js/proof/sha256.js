/**
 * SHA-256 (FIPS 180-4), and conversions between bytes, hex and text.
 *
 * The browser's own function exists only over TLS or on localhost, and a club that plays over plain HTTP must be able to check
 * its records too. This one also answers synchronously, so that the whole proof is plain functions.
 */

const ROUNDS = new Uint32Array(64);
const START = new Uint32Array(8);

/** The first 32 bits of the fractional part of a root. */
const fraction = (/** @type {number} */ root) => Math.floor((root % 1) * 2 ** 32);

for (let candidate = 2, found = 0; found < 64; candidate += 1) {
  let prime = true;
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1) prime &&= candidate % divisor !== 0;
  if (!prime) continue;
  if (found < 8) START[found] = fraction(Math.sqrt(candidate));
  ROUNDS[found] = fraction(Math.cbrt(candidate));
  found += 1;
}

const rotateRight = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} bytes @returns {Uint8Array} 32 bytes */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) compress(state, words, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setUint32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

/**
 * Add one block of 64 bytes to the state.
 * @param {Uint32Array} state
 * @param {Uint32Array} words
 * @param {DataView} view
 * @param {number} at
 */
function compress(state, words, view, at) {
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [words[index - 15], words[index - 2]];
    const first = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const second = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16] + first + words[index - 7] + second;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + choice + ROUNDS[index] + words[index]) | 0;
    const two = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] += word;
  });
}

/** Bytes joined into one array. @param {...(Uint8Array|string)} parts text as UTF-8 */
export function join(...parts) {
  const pieces = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The inverse of `hex`. @param {string} text */
export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
