/** The keys of this server: the one that signs its log now, and the earlier ones from which it was rotated. */
import { t } from "../language/translate.js";
import { trustIn } from "../transparency/attest.js";
import { BadNote, CannotCheckSignatures } from "../transparency/notes.js";
import { readRotations } from "../transparency/rotations.js";
import { element } from "../ui/dom.js";

const ADDRESS = "/.well-known/cadogan.json";

/** A panel with the keys; null if the server has none, or does not answer. @returns {Promise<HTMLElement|null>} */
export async function makeHostKeys() {
  const answer = await fetch(ADDRESS).catch(() => null);
  if (!answer?.ok) return null;
  const host = await answer.json();
  const texts = host.keys.map(String);
  const { found, problem } = await followRotations(trustIn(host).rotations ?? []);
  const rows = texts.flatMap((/** @type {string} */ key, /** @type {number} */ place) => {
    const until = place && found.length === texts.length - 1 ? found[found.length - place].number : null;
    const word = place ? "audit.key_earlier" : "audit.key_now";
    return [element("dt", {}, until === null ? t(place ? "audit.key_before" : word) : t(word, { number: until })), element("dd", {}, element("code", {}, key))];
  });
  return element("section", { class: "panel host-keys", "aria-labelledby": "host-keys" },
    element("h2", { id: "host-keys" }, t("audit.keys")),
    element("p", { class: "fine" }, t("audit.keys_lead", { origin: host.origin })),
    element("dl", {}, rows),
    problem && element("p", { class: "problem", role: "alert" }, problem),
    element("p", {}, element("a", { href: ADDRESS }, t("audit.keys_file"))));
}

/** The rotations, each checked; none where this browser cannot check signatures. @param {string[]} notes */
async function followRotations(notes) {
  try {
    return { found: await readRotations(notes), problem: null };
  } catch (problem) {
    if (problem instanceof CannotCheckSignatures) return { found: [], problem: null };
    if (problem instanceof BadNote) return { found: [], problem: t("audit.found_log_rotation") };
    throw problem;
  }
}
