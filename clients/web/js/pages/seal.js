/** What a sealed deal proves, and what it does not, in plain words. */
import { element, fill, link } from "../dom.js";

/** @param {HTMLElement} root */
export function show(root, _parameters, app) {
  app.title("The seal");
  const part = (title, ...paragraphs) => [element("h2", {}, title), ...paragraphs.map((words) => element("p", {}, words))];
  fill(root, element("header", { class: "heading" }, element("h1", {}, "What the seal proves")),
    element("article", { class: "panel prose" },
      ...part("How a day is sealed",
        "Days before it opens, the host draws one random secret of 256 bits for the day. All of the day’s deals follow from it: the shuffles are computed, and nothing else goes in but the names of the game and of the deal.",
        "The host publishes a fingerprint of the secret at once, its SHA-256: the commitment. From then on the secret cannot be changed, since no other would have the same fingerprint. When the day is closed, the secret is published."),
      ...part("What that proves",
        "Everybody had the same cards; they were fixed before anybody had played; and nobody’s play changed a card that was still face down. Anyone can compute every deal again from the secret, and every run from its record.",
        "The closing of a day also writes down a fingerprint of each board, so that no result can be added, bettered or dropped afterwards without its showing."),
      ...part("What it does not prove",
        "The host knows the secret from the day it was drawn. A host who plays his own dailies could know the cards, and so could anyone he tells. If that matters, leave the host’s own runs aside.",
        "It does not prove that the host drew only once: he could draw several secrets before he published one, and take the one he liked. It is one secret for all of a day’s deals, a week ahead, so there is little to be had by it; but it is not nothing.",
        "And it does not prove that a player sat alone at the table, or had not seen the cards under another name. That is why others’ cards stay covered until one is done, why new accounts see meters only, and why every look is written down."),
      ...part("Deals of your own, and races",
        "There the players’ own words are mixed in after the host has sealed his secret, so that neither side can choose the cards alone."),
      element("p", {}, link("/calendar", "The days gone by, with their secrets"))));
}
