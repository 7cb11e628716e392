/** The page behind the code of an evening: a guest types a first name and is in; whoever has a name is in at once. */
import { mayCome, stateWords, titleWords } from "../../evening/evening_words.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { enterEvening, findEvening } from "../../evening/evenings_api.js";
import { element, fill, link, oneAtATime } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { code }, app) {
  await loadCss("/style/evening.css");
  const evening = await findEvening(code).catch((refusal) => {
    if (refusal.code !== "not_found") throw refusal;
    app.title(t("evenings.evenings"));
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, refusalWords(refusal)), element("p", {}, t("evenings.no_code_words")),
      element("p", { class: "actions" }, link("/evenings", t("evenings.evenings"), "button primary"))));
  });
  if (!evening) return;
  app.title(titleWords(evening));
  if (evening.is_entered) {
    app.go(`/evenings/${evening.id}`, { replace: true });
    return;
  }
  const why = evening.may_enter ? null : whyNot(evening);
  if (why !== null) {
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, titleWords(evening)), element("p", { class: "lead" }, stateWords(evening, evening.at)),
      why && element("p", {}, why), element("p", { class: "actions" }, link(`/evenings/${evening.id}`, t("evenings.only_watch"), "button primary"))));
    return;
  }
  const hasBegun = !["announced", "entry"].includes(evening.state);
  const isNamed = Boolean(app.player && (!app.player.guest || (hasBegun && evening.entrants.some(({ player }) => player.id === app.player?.id))));
  const name = element("input", { id: "first-name", maxlength: 24, required: !isNamed, autocomplete: "given-name", hidden: isNamed });
  const team = evening.teams && (await loadLater()).makeTeamChoice(evening.teams);
  const problem = element("p", { class: "problem", role: "alert" });
  const sit = oneAtATime(async () => {
    await app.ensurePlayer();
    await enterEvening(evening.id, isNamed ? undefined : name.value.trim(), team?.value || undefined);
    app.go(`/evenings/${evening.id}`, { replace: true });
  });
  fill(root, element("form", { class: "panel notice form sit", on: {
    submit: (event) => {
      event.preventDefault();
      sit()?.catch((refusal) => {
        problem.textContent = refusalWords(refusal);
      });
    },
  } }, element("h1", {}, titleWords(evening)), element("p", { class: "lead" }, stateWords(evening, evening.at)),
  isNamed ? null : element("label", { for: name.id }, t("evenings.first_name")), name,
  team && element("label", { for: team.id }, t("evenings.your_team")), team, problem,
  element("p", { class: "actions" }, element("button", { class: "button primary large" }, t(evening.match ? "matches.accept" : "evenings.enter")),
    link(`/evenings/${evening.id}`, t("evenings.only_watch"), "button"))));
  if (!isNamed) name.focus();
}

/** Why somebody who has not signed in, or may not enter, is not asked for a name; null if they are. @param {import("wire").Evening} evening */
function whyNot(evening) {
  if (!mayCome(evening)) return ["round", "pause"].includes(evening.state) ? t("evenings.too_late") : "";
  return evening.entry === "group" ? t("evenings.for_members") : null;
}
