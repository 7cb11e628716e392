/** The reader's settings for cards: for the left or the right hand, how large rank and suit are, and in how many colours. */
import { chosenSetting, setting } from "./settings.js";

/** The settings that the arrangement of every table needs (see `board/geometry.js`). */
export function cardSettings() {
  return { mirrored: setting("hand") === "left", large: setting("faces") === "large" };
}

/**
 * In how many colours the suits of a game are drawn: as chosen for this game, else for all games, else as its rules say.
 * @param {{slug: string, colours: number}} rules
 * @returns {"two"|"four"}
 */
export function suitColours(rules) {
  const wanted = chosenSetting(`colours.${rules.slug}`) ?? setting("colours");
  if (wanted === "two" || wanted === "four") return wanted;
  return rules.colours === 4 ? "four" : "two";
}
