/** The page behind the link in a digest: its reader ends them here, whoever is signed in. Opening it ends nothing. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { endMailDigest } from "../../net/account_api.js";
import { button, element, fill, link, oneAtATime } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export function show(root, { code }, app) {
  app.title(t("digest.title"));
  const problem = element("p", { class: "problem", role: "alert" });
  const end = oneAtATime(async () => {
    problem.textContent = "";
    try {
      await endMailDigest(code);
      fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("digest.ended")), element("p", {}, t("digest.ended_words")),
        element("p", { class: "actions" }, link("/", t("shell.back"), "button primary"))));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("digest.end_question")),
    element("p", { class: "actions" }, button(t("digest.end"), end, "button primary large")), problem));
}
