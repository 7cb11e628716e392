/** What the commitment to a day's deals proves, and what it cannot prove. */
import { t } from "../../language/translate.js";
import { element, fill, link } from "../../ui/dom.js";

/** The parts of the page: each is a heading and its paragraphs. */
const PARTS = [
  ["how", "how_secret", "how_commitment", "how_beacon"],
  ["proves", "proves_cards", "proves_boards"],
  ["not", "not_host", "not_once", "not_alone"],
  ["own", "own_words"],
];

/** @type {import("../../router.js").Show} */
export function show(root, _parameters, app) {
  app.title(t("seal.title"));
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("seal.heading"))),
    element("article", { class: "panel prose" },
      PARTS.flatMap(([heading, ...paragraphs]) => [
        element("h2", {}, t(`seal.${heading}`)), ...paragraphs.map((name) => element("p", {}, t(`seal.${name}`))),
      ]),
      element("p", {}, link("/audit", t("seal.audit"))),
      element("p", {}, link("/calendar", t("seal.days")))));
}
