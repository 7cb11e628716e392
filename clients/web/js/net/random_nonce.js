/** This browser's own chance. */

/** Sixteen letters, mixed into a deal so that nobody else can choose it. */
export function randomNonce() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte % 32]).join("");
}
