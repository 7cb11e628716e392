/** The names of the games of an evening's rounds. */
import { listRules } from "../net/api.js";

/** A function that gives the name of a game, in the reader's language, by its slug. */
export async function formatRulesNames() {
  const names = new Map((await listRules()).map(({ slug, name }) => [slug, name]));
  return (/** @type {string} */ slug) => names.get(slug) ?? slug;
}
