/** The page for an address that does not exist. */
import { t, tNodes } from "../language/translate.js";
import { element, fill, link } from "../ui/dom.js";

/** @type {import("../router.js").Show} */
export function show(root, _parameters, app) {
  app.title(t("missing.title"));
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("missing.heading")),
    element("p", {}, tNodes("missing.words", { home: link("/", t("common.todays_challenge")) }))));
}
