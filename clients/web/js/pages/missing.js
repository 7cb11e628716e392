/** No such page. */
import { element, fill, link } from "../ui/dom.js";
import { pieces, t } from "../language/translate.js";

/** @type {import("../router.js").Show} */
export function show(root, _parameters, app) {
  app.title(t("missing.title"));
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("missing.heading")),
    element("p", {}, pieces("missing.words", { home: link("/", t("common.todays_challenge")) }))));
}
