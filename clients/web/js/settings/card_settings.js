/** How somebody likes the cards: for which hand, how large their signs, and in how many colours. */
import { chosenSetting, setting } from "./settings.js";

/** What the arrangement of every table heeds (see geometry.js). */
export function cardSettings() {
  return { mirrored: setting("hand") === "left", large: setting("faces") === "large" };
}

/**
 * How many colours the suits of a game wear: as chosen for this game, else for all, else as many as its rules tell.
 * @param {{slug: string, colours: number}} rules
 * @returns {"two"|"four"}
 */
export function suitColours(rules) {
  const wanted = chosenSetting(`colours.${rules.slug}`) ?? setting("colours");
  if (wanted === "two" || wanted === "four") return wanted;
  return rules.colours === 4 ? "four" : "two";
}
