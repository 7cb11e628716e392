/** The days gone by, a month at a time: each with its deals and how one fared. */
import { listDailies, listRules } from "../api.js";
import { dayAt, daysLater, daysOf, monthOf, monthsLater, monthWords, weekday } from "../days.js";
import { levelWords, standing, standingWords } from "../deals.js";
import { element, fill, link } from "../dom.js";
import { dayWords } from "../words.js";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** @param {HTMLElement} root */
export async function show(root, { month: wanted }, app) {
  const now = Date.now();
  const today = dayAt(now);
  const month = wanted ?? monthOf(today);
  app.title(`Calendar: ${monthWords(month)}`);
  const [dailies, rules] = await Promise.all([listDailies(`${monthsLater(month, 1)}-01`), listRules()]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const known = new Map(dailies.filter(({ day }) => monthOf(day) === month).map((daily) => [daily.day, daily]));
  const cells = daysOf(month).map((day) => cell(day, known.get(day), { names, now, today }));
  cells[0]?.classList.add(`from-${weekday(`${month}-01`)}`);
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, "The calendar"), element("h1", {}, monthWords(month)),
      element("p", { class: "turning" },
        link(`/calendar/${monthsLater(month, -1)}`, "‹ The month before"),
        month < monthOf(daysLater(today, 7)) && link(`/calendar/${monthsLater(month, 1)}`, "The month after ›"))),
    element("section", { class: "panel" },
      element("ol", { class: "month" }, WEEKDAYS.map((name) => element("li", { class: "weekday", "aria-hidden": "true" }, name)), cells),
      element("p", { class: "fine" }, "Every day that is closed can be played as practice, its runs replayed and its secret checked."), legend()));
}

function cell(day, daily, { names, now, today }) {
  const number = String(Number(day.slice(8)));
  const words = dayWords(day) + (day === today ? ", today" : "");
  if (!daily) return element("li", { class: "day none" }, element("span", { class: "number" }, number));
  const deals = daily.deals.map((deal) => ({ deal, stands: standing(deal, daily, now), name: names.get(deal.rules) ?? deal.rules }));
  const told = deals.map(({ deal, stands, name }) => `${deal.level}: ${name}, ${resultWords(deal, stands)}`).join("; ");
  return element("li", { class: `day ${daily.state}${day === today ? " today" : ""}` },
    element("a", { href: day === today ? "/" : `/daily/${day}`, "aria-label": `${words}. ${told}` },
      element("span", { class: "number" }, number),
      element("span", { class: "results" }, deals.map(({ deal, stands, name }) =>
        element("span", { title: `${levelWords(deal.level)}: ${name}` },
          element("i", { class: `pip ${stands} ${deal.your_status ?? ""}` }), element("span", { class: "game-name" }, name))))));
}

function resultWords(deal, stands) {
  return stands === "done" ? deal.your_status : standingWords(stands).toLowerCase();
}

function legend() {
  const mark = (kind, words) => element("span", { class: "key" }, element("i", { class: `pip ${kind}` }), words);
  return element("p", { class: "fine keys" }, mark("done won", "came out"), mark("done", "finished"), mark("begun", "under way"), mark("spoiled", "spoiled"), mark("past", "not played"));
}
