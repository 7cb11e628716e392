/** The texts of the hosts, and the rules of the server. */
import { t } from "../../language/translate.js";
import { readProfile } from "../../net/admin_api.js";
import { element, fill, fromMarkup } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("admin.about"));
  const { name, rules_html: rules, crest } = await readProfile();
  fill(root, element("header", { class: "heading" }, crest && element("p", { class: "crest" }, element("img", { src: crest, alt: "" })),
    element("h1", {}, name || t("admin.about"))),
  element("section", { class: "panel prose" }, element("h2", {}, t("admin.house_rules")), rules ? fromMarkup(rules) : element("p", {}, t("admin.no_rules"))));
}
