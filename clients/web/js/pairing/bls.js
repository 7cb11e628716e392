/**
 * Signatures by BLS on BLS12-381, with signatures in G1 and keys in G2: only to verify them.
 *
 * The browser verifies none of these by itself, and the kept libraries would have to be copied into this repository or bundled, where
 * `cadogan serve` needs nothing but Python. So these few modules do it. They are tested against a library in Python, with rounds that
 * drand has signed, and with signatures that are wrong in many ways.
 */
import { G1, G2, G2_BASE, negate, readPoint } from "./curves.js";
import { hashToG1 } from "./hash_to_curve.js";
import { isProductOne } from "./pairing.js";

/**
 * Whether this is the signature of a message by a key. It takes some tenths of a second, in pieces, between which a page goes on.
 * @param {Uint8Array} message
 * @param {string} domain the domain separation tag
 * @param {Uint8Array} signature 48 bytes
 * @param {Uint8Array} key 96 bytes
 */
export async function isSigned(message, domain, signature, key) {
  const point = readPoint(G1, signature);
  await pause();
  const signer = readPoint(G2, key);
  if (point === null || signer === null) return false;
  await pause();
  const hashed = negate(hashToG1(message, domain));
  await pause();
  return isProductOne([[point, G2_BASE], [hashed, signer]], pause);
}

/** Let the page draw and answer. */
const pause = () => new Promise((resolve) => { setTimeout(resolve); });
