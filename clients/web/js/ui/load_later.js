/** Loads the second script, with what only some visitors need. */
import { languageInUse } from "../language/translate.js";
import { isBundled, served } from "../settings/served.js";

/**
 * The exports of `later.js`, in the reader's language.
 * @returns {Promise<typeof import("../later.js")>}
 */
export async function loadLater() {
  const folder = isBundled ? served.files : "/js/";
  const later = await import(`${folder}later.js`);
  later.setLanguage(...languageInUse());
  return later;
}
