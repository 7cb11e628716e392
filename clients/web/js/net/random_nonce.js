/** The player's part of a deal's randomness. */

/** Sixteen random letters. They are mixed into a deal, so that nobody else can choose the deal. */
export function randomNonce() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte % 32]).join("");
}
