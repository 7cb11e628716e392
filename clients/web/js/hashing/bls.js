/**
 * Signatures by BLS on BLS12-381, with signatures in G1 and keys in G2: only to verify them, by the audited library @noble/curves.
 *
 * The bundler brings the library as a file of its own, which is loaded when a signature is first verified. Without a bundle there
 * is none: then nothing is verified here, and the page names the command that does it.
 */

/** There is no library, or it could not be loaded: nothing is known about the signature. */
export class CannotVerify extends Error {}

/** @type {Promise<any>|null} */
let loading = null;

/**
 * Where the library is; null if there is none, because the module was loaded alone.
 * @param {string} module the address of this module, or of the bundle that it is a part of
 */
export function libraryOf(module) {
  if (module.startsWith("file:")) return new URL("../../bundle/bls12_381.js", module).href; // in Node
  return /\/bundle\/\w+\/main\.js$/.test(module) ? new URL("bls12_381.js", module).href : null;
}

/**
 * Whether this is the signature of a message by a key. A page can be used between the steps, each of which takes up to some tenths of a second.
 * @param {Uint8Array} message
 * @param {string} domain the domain separation tag
 * @param {Uint8Array} signature 48 bytes
 * @param {Uint8Array} key 96 bytes
 * @throws {CannotVerify}
 */
export async function isSigned(message, domain, signature, key) {
  const { shortSignatures } = await loadLibrary();
  const hashed = shortSignatures.hash(message, domain);
  await pause();
  try {
    return shortSignatures.verify(signature, hashed, key);
  } catch {
    return false; // signature or key is no point of its group
  }
}

async function loadLibrary() {
  const address = libraryOf(import.meta.url);
  if (address === null) throw new CannotVerify("no library");
  loading ??= import(address);
  try {
    return (await loading).bls12_381;
  } catch (problem) {
    loading = null;
    throw new CannotVerify("the library cannot be loaded", { cause: problem });
  }
}

/** Let the page draw and answer. */
const pause = () => new Promise((resolve) => { setTimeout(resolve); });
