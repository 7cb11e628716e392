/**
 * SHA-256, by the audited library @noble/hashes, and conversions between bytes, hex and text.
 *
 * The browser's own function exists only over TLS or on localhost, and a club that plays over plain HTTP must be able to check
 * its records too. The library also answers synchronously, so that the whole proof is plain functions.
 */
import { sha256 as hash } from "./noble_sha256.js";

const ENCODER = new TextEncoder();

/**
 * The SHA-256 of bytes, and of a text after them.
 * @param {Uint8Array} bytes
 * @param {string} [text] as UTF-8
 * @returns {Uint8Array} 32 bytes
 */
export function sha256(bytes, text = "") {
  return hash(text === "" ? bytes : join(bytes, text));
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
