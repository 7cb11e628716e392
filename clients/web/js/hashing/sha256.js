/**
 * SHA-256 (FIPS 180-4), and conversions between bytes, hex and text.
 *
 * The browser's own function exists only over TLS or on localhost, and a club that plays over plain HTTP must be able to check
 * its records too. This one also answers synchronously, so that the whole proof is plain functions.
 */

const ROUNDS = new Int32Array(64);
const START = new Int32Array(8);

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

const BLOCK_BYTES = 64;
const LENGTH_BYTES = 8;
const ENCODER = new TextEncoder();

/** The padded message: it grows to the longest that was hashed, and is used again. */
let padded = new Uint8Array(1024);
const words = new Int32Array(64);
const state = new Int32Array(8);

/**
 * The SHA-256 of bytes, and of a text after them.
 * @param {Uint8Array} bytes
 * @param {string} [text] as UTF-8
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(bytes, text = "") {
  const most = bytes.length + 3 * text.length + BLOCK_BYTES + LENGTH_BYTES;
  if (padded.length < most) padded = new Uint8Array(2 * most);
  padded.set(bytes);
  const length = bytes.length + (text === "" ? 0 : ENCODER.encodeInto(text, padded.subarray(bytes.length)).written);
  const end = Math.ceil((length + 1 + LENGTH_BYTES) / BLOCK_BYTES) * BLOCK_BYTES;
  padded.fill(0, length, end);
  padded[length] = 0x80;
  for (let place = 0, bits = length * 8; place < LENGTH_BYTES; place += 1, bits = Math.floor(bits / 256)) padded[end - 1 - place] = bits % 256;
  state.set(START);
  for (let at = 0; at < end; at += BLOCK_BYTES) compress(at);
  const digest = new Uint8Array(32);
  for (let index = 0; index < 32; index += 1) digest[index] = state[index >> 2] >>> (24 - 8 * (index & 3));
  return digest;
}

/**
 * Add the block of 64 bytes at this place to the state. No array is made and no function called in here: a long record has a
 * million blocks.
 * @param {number} at
 */
function compress(at) {
  for (let index = 0; index < 16; index += 1) {
    const place = at + index * 4;
    words[index] = (padded[place] << 24) | (padded[place + 1] << 16) | (padded[place + 2] << 8) | padded[place + 3];
  }
  for (let index = 16; index < 64; index += 1) {
    const early = words[index - 15];
    const late = words[index - 2];
    const first = ((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3);
    const second = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[index] = (words[index - 16] + first + words[index - 7] + second) | 0;
  }
  let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (let index = 0; index < 64; index += 1) {
    const turnedE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + turnedE + ((e & f) ^ (~e & g)) + ROUNDS[index] + words[index]) | 0;
    const turnedA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (turnedA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Bytes joined into one array. @param {...(Uint8Array|string)} parts text as UTF-8 */
export function join(...parts) {
  const pieces = parts.map((part) => (typeof part === "string" ? ENCODER.encode(part) : part));
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
  let text = "";
  for (let index = 0; index < bytes.length; index += 1) text += HEX_OF_BYTE[bytes[index]];
  return text;
}

/** The inverse of `hex`. @param {string} text */
export function fromHex(text) {
  const bytes = new Uint8Array(text.length >> 1);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = parseInt(text.slice(2 * index, 2 * index + 2), 16);
  return bytes;
}
