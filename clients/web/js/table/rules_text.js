/** The rules of a game beside its table. */
import { element, fromMarkup } from "../ui/dom.js";

/** @import { RulesPage } from "wire" */

/** The rules page as the server wrote it, with the game's name above it if it has no heading. @param {RulesPage} rules */
export function rulesText(rules) {
  const text = fromMarkup(rules.page);
  return text.querySelector("h1") ? text : [element("h1", {}, rules.name), text];
}
