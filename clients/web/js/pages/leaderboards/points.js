/** How points are computed and how leaderboards are ordered, in plain words. */
import { t } from "../../language/translate.js";
import { element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export function show(root, _parameters, app) {
  const paragraph = (/** @type {string} */ key) => element("p", {}, t(`points.${key}`));
  app.title(t("points.title"));
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("points.title"))),
    element("article", { class: "panel prose" }, paragraph("deal"), paragraph("points"),
      element("pre", {}, t("points.formula")), paragraph("sums"), paragraph("ranked"),
      element("p", {}, link("/board/today", t("points.todays_board")))));
}
