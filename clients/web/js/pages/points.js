/** How boards are reckoned and ordered, in plain words. */
import { element, fill, link } from "../dom.js";

/** @param {HTMLElement} root */
export function show(root, _parameters, app) {
  app.title("How points are reckoned");
  fill(root, element("header", { class: "heading" }, element("h1", {}, "How points are reckoned")),
    element("article", { class: "panel prose" },
      element("p", {}, "The board of a deal has every ranked run of it: the higher score first; of equal scores the one in fewer moves; of equal moves the faster one. Who is equal in all three shares the rank. Time is the server’s, from the first sight of the cards to the end, and does not stop while you are away."),
      element("p", {}, "Games score differently, so on all other boards each run brings points: its score above that of the dealt table, as a part of what there is to be had, counted in thousands and rounded down; never less than 0; and 250 more for a win."),
      element("pre", {}, "1000 × (score − first score) ÷ (maximum − first score)  + 250 if won"),
      element("p", {}, "The points of the ranked runs of a day, a week, a month, all time or a game are added up. Equal points are ordered by fewer moves in all, then by less time in all."),
      element("p", {}, "Only the one attempt at each day’s deal is ranked; practice, races, and runs of a deal that one has asked to be shown are not. Bots have boards of their own."),
      element("p", {}, link("/board/today", "Today’s board"))));
}
