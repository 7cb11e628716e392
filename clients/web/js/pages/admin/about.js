/** What the house says about itself, and its rules. */
import { t } from "../../language/translate.js";
import { readProfile } from "../../net/admin_api.js";
import { element, fill, fromMarkup } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("house.about"));
  const { name, rules_html: rules, crest } = await readProfile();
  fill(root, element("header", { class: "heading" }, crest && element("p", { class: "crest" }, element("img", { src: crest, alt: "" })),
    element("h1", {}, name || t("house.about"))),
  element("section", { class: "panel prose" }, element("h2", {}, t("house.house_rules")), rules ? fromMarkup(rules) : element("p", {}, t("house.no_rules"))));
}
