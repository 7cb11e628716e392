/** The page behind a link that invites into a group. */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { findGroup, joinGroup, Refusal } from "../../net/api.js";
import { button, element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { token }, app) {
  app.title(t("people.join_title"));
  const group = await findGroup(token).catch((refusal) => {
    if (refusal instanceof Refusal && refusal.code === "not_found") return null;
    throw refusal;
  });
  if (!group) {
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("people.no_link")), element("p", {}, t("people.no_link_words")),
      element("p", { class: "actions" }, link("/evenings", t("evenings.evenings"), "button"))));
    return;
  }
  const problem = element("p", { class: "problem", role: "alert" });
  const join = async () => {
    await app.ensurePlayer();
    await joinGroup(token);
    app.go("/people", { replace: true });
  };
  fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("people.invited")), element("p", { class: "lead" }, group.name),
    element("p", {}, t("people.invited_words")),
    element("p", { class: "actions" }, button(t("people.join"), () => join().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    }), "button primary large")), problem));
}
