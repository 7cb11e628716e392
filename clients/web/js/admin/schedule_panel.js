/**
 * The days to come: which games they have, and how long their runs may take. A host sees the days before they are saved.
 *
 * @import { PlannedDay, Schedule } from "wire"
 */
import { levelWords } from "../daily/deal_states.js";
import { dayWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { listRules } from "../net/api.js";
import { changeSchedule, readSchedule } from "../net/admin_api.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";
import { makeDealFields } from "./deal_fields.js";

const MAX_DEALS = 9;
const MAX_GRACE_MINUTES = 720;

export async function makeSchedulePanel() {
  const [kept, rules] = await Promise.all([readSchedule(), listRules()]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const own = element("input", { id: "own-calendar", type: "checkbox", checked: Boolean(kept.chosen.deals) });
  const ownGrace = element("input", { id: "own-grace", type: "checkbox", checked: kept.chosen.grace !== undefined });
  const grace = element("input", { id: "grace", type: "number", min: 0, max: MAX_GRACE_MINUTES, required: true, value: Math.round(kept.grace / 60) });
  const graceField = element("div", { class: "form" }, element("label", { for: grace.id }, t("admin.grace_minutes")), grace);
  const list = element("ol", { class: "deals" });
  const add = button(t("admin.add_deal"), () => addDeal("", []));
  const calendar = element("div", { class: "form" }, list, add);
  const days = element("div", { class: "planned" });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const save = button(t("admin.save"), () => send(false), "button primary");
  /** @type {ReturnType<typeof makeDealFields>[]} */
  let deals = [];

  /** @param {string} level @param {string[]} games @param {boolean} [certified] */
  function addDeal(level, games, certified) {
    const made = makeDealFields({ level, games, certified }, names, () => {
      deals = deals.filter((one) => one !== made);
      showDeals();
      change();
    });
    deals.push(made);
    showDeals();
    change();
  }
  function showDeals() {
    fill(list, ...deals.map(({ node }) => node));
    add.hidden = deals.length >= MAX_DEALS;
    for (const { remove } of deals) remove.hidden = deals.length === 1;
  }
  /** What is shown below follows from other fields than those above: it is to be shown again first. */
  function change() {
    calendar.hidden = !own.checked;
    graceField.hidden = !ownGrace.checked;
    save.hidden = true;
    said.textContent = "";
  }
  /** @returns {Schedule} */
  const wanted = () => ({ deals: own.checked ? deals.map(({ value }) => value()) : undefined, grace: ownGrace.checked ? Number(grace.value) * 60 : undefined });
  const send = oneAtATime(async (/** @type {boolean} */ preview) => {
    problem.textContent = "";
    if (own.checked && deals.some(({ value }) => !value().games.length)) {
      problem.textContent = t("admin.deal_needs_games");
      return;
    }
    try {
      const shown = await changeSchedule({ ...wanted(), preview });
      fill(days, element("h3", {}, t("admin.days_to_come")), element("ul", { class: "rows" }, shown.days.map((day) => row(day, names))));
      change();
      save.hidden = !preview;
      if (!preview) said.textContent = t("admin.saved");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  for (const deal of kept.deals) addDeal(deal.level, deal.games, deal.certified);
  change();
  const form = element("form", {
    class: "form",
    on: {
      input: change,
      submit: (event) => {
        event.preventDefault();
        send(true);
      },
    },
  }, element("label", { class: "check", for: own.id }, own, t("admin.own_calendar")), calendar,
  element("label", { class: "check", for: ownGrace.id }, ownGrace, t("admin.own_grace")), graceField, problem,
  element("button", { class: "button" }, t("admin.preview")));
  clearOnInput(form, problem);
  fill(days, element("h3", {}, t("admin.days_to_come")), element("ul", { class: "rows" }, kept.days.map((day) => row(day, names))));
  return element("section", { class: "panel" }, element("h2", {}, t("admin.schedule")), element("p", {}, t("admin.schedule_words")), form, days, said,
    element("p", { class: "actions" }, save));
}

/** @param {PlannedDay} day @param {Map<string, string>} names of the games, by slug */
function row({ day, announced, deals, grace }, names) {
  const games = deals.map(({ level, rules }) => t("calendar.deal", { level: levelWords(level), game: names.get(rules) ?? rules })).join("; ");
  return element("li", {}, element("strong", {}, dayWords(day)), element("span", {}, games),
    element("span", { class: "fine" }, [announced && t("admin.announced"), t("admin.grace_of", { count: Math.round(grace / 60) })].filter(Boolean).join(" · ")));
}
