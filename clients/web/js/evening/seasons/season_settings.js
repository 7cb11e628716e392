/**
 * The settings of the seasons to come, of the server or of a group: whether there are any, and how they are scored.
 *
 * @import { SeasonSettings } from "wire"
 */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { clearOnInput, element, link, oneAtATime } from "../../ui/dom.js";

/**
 * The numbers that are set, each with its least, its largest and its default value, which the server leaves out.
 * @type {["weeks"|"size"|"best_of_week"|"least_sessions", number, number, number][]}
 */
const NUMBERS = [["weeks", 1, 26, 12], ["size", 8, 20, 12], ["best_of_week", 1, 20, 5], ["least_sessions", 0, 200, 10]];

/**
 * @param {SeasonSettings} settings
 * @param {string|undefined} page where the table of the season is, if there is one
 * @param {(wanted: SeasonSettings) => Promise<unknown>} save sends the settings
 */
export function makeSeasonSettings(settings, page, save) {
  const on = element("input", { id: "season-on", type: "checkbox", checked: settings.on ?? false });
  const demotion = element("input", { id: "season-demotion", type: "checkbox", checked: settings.demotion ?? true });
  const numbers = NUMBERS.map(([name, min, max, usual]) =>
    ({ name, input: element("input", { id: `season-${name}`, type: "number", required: true, min, max, value: settings[name] ?? usual }) }));
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const send = oneAtATime(async () => {
    said.textContent = "";
    const wanted = Object.fromEntries(numbers.map(({ name, input }) => [name, Number(input.value)]));
    try {
      await save(/** @type {SeasonSettings} */ ({ ...wanted, on: on.checked, demotion: demotion.checked }));
      said.textContent = t("admin.saved");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    send();
  };
  const form = element("form", { class: "form", on: { submit } },
    element("label", { class: "check", for: on.id }, on, t("seasons.on")),
    numbers.flatMap(({ name, input }) => [element("label", { for: input.id }, t(`seasons.${name}`)), input]),
    element("label", { class: "check", for: demotion.id }, demotion, t("seasons.demotion")), problem, said,
    element("p", { class: "actions" }, element("button", { class: "button primary" }, t("admin.save")), page && link(page, t("seasons.season"), "button")));
  clearOnInput(form, problem);
  return element("section", { class: "panel" }, element("h2", {}, t("admin.seasons")), element("p", {}, t("seasons.settings")), form);
}
