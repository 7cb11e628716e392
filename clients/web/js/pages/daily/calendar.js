/**
 * The past days, one month on each page: each day with its deals and the reader's results.
 *
 * @import { Daily, DailyDeal } from "wire"
 */
import { certifiedState } from "../../daily/certified_words.js";
import { dealState, dealStateWords, levelWords } from "../../daily/deal_states.js";
import { dayAt, daysLater, daysOfMonth, monthOf, monthsLater, monthWords, weekday } from "../../language/calendar.js";
import { dayWords, statusWords } from "../../language/format.js";
import { formatDate, formatNumber, t, tNodes } from "../../language/translate.js";
import { listRules, readDays } from "../../net/api.js";
import { serverNow } from "../../net/server_clock.js";
import { element, fill, link } from "../../ui/dom.js";

const CERTIFIED_MARKS = { certified: "✓", to_be_certified: "(✓)" };

/** @type {import("../../router.js").Show} */
export async function show(root, { month: wanted }, app) {
  const now = serverNow();
  const today = dayAt(now);
  const month = wanted ?? monthOf(today);
  app.title(t("calendar.title", { month: monthWords(month) }));
  const [{ dailies, missed = [] }, rules] = await Promise.all([readDays(`${monthsLater(month, 1)}-01`), listRules()]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const known = new Map(dailies.filter(({ day }) => monthOf(day) === month).map((daily) => [daily.day, daily]));
  const cells = daysOfMonth(month).map((day) => cell(day, known.get(day), { names, now, today, isMissed: missed.includes(day) }));
  cells[0]?.classList.add(`from-${weekday(`${month}-01`)}`);
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, t("calendar.eyebrow")), element("h1", {}, monthWords(month)),
      element("p", { class: "turning" },
        link(`/calendar/${monthsLater(month, -1)}`, t("calendar.month_before")),
        month < monthOf(daysLater(today, 7)) && link(`/calendar/${monthsLater(month, 1)}`, t("calendar.month_after")),
        link("/puzzle", t("calendar.puzzle")))),
    element("section", { class: "panel" },
      element("ol", { class: "month" }, weekdays().map((name) => element("li", { class: "weekday", "aria-hidden": "true" }, name)), cells),
      element("p", { class: "fine" }, t("calendar.note")), legend(),
      element("p", { class: "fine" }, tNodes("calendar.subscribe", {
        results: element("a", { href: `/feeds/days.atom?language=${document.documentElement.lang}`, target: "_blank" }, t("calendar.feed")),
        days: element("a", { href: `/feeds/days.ics?language=${document.documentElement.lang}`, download: "days.ics" }, t("calendar.ics")),
      }))));
}

/**
 * @param {string} day
 * @param {Daily|undefined} daily
 * @param {{names: Map<string, string>, now: number, today: string, isMissed: boolean}} about
 */
function cell(day, daily, { names, now, today, isMissed }) {
  const inMonth = formatNumber(Number(day.slice(8)));
  const words = day === today ? t("calendar.today", { day: dayWords(day) }) : dayWords(day);
  const missed = isMissed && element("span", { class: "missed" }, t("calendar.missed"));
  if (!daily) return element("li", { class: "day none" }, element("span", { class: "number" }, inMonth), missed);
  const deals = daily.deals.map((deal) => ({ deal, state: dealState(deal, daily, now), certified: certifiedState(deal, daily), name: names.get(deal.rules) ?? deal.rules }));
  const dealsTold = deals.map(({ deal, state, certified, name }) => {
    const told = t("calendar.told", { level: levelWords(deal.level), game: name, result: resultWords(deal, state) });
    return certified ? t("calendar.told_certified", { deal: told, certified: t(`calendar.${certified}`) }) : told;
  }).join("; ");
  return element("li", { class: `day ${daily.state}${day === today ? " today" : ""}` },
    element("a", { href: day === today ? "/" : `/daily/${day}`, "aria-label": t("calendar.cell", { day: words, deals: isMissed ? `${t("calendar.missed")}. ${dealsTold}` : dealsTold }) },
      element("span", { class: "number" }, inMonth), missed,
      element("span", { class: "results" }, deals.map(({ deal, state, certified, name }) =>
        element("span", { title: t("calendar.deal", { level: levelWords(deal.level), game: name }) },
          element("i", { class: `pip ${state} ${deal.your_status ?? ""}` }), element("span", { class: "game-name" }, name),
          certified && element("span", { class: "certified" }, CERTIFIED_MARKS[certified]))))));
}

/** The names of the weekdays, Monday first. */
function weekdays() {
  return [5, 6, 7, 8, 9, 10, 11].map((day) => formatDate(Date.UTC(2026, 0, day), { weekday: "short", timeZone: "UTC" }));
}

/** @param {DailyDeal} deal @param {ReturnType<typeof dealState>} state */
function resultWords(deal, state) {
  return state === "done" ? statusWords(deal.your_status ?? "") : dealStateWords(state);
}

function legend() {
  /** @param {string} kind @param {string} key */
  const mark = (kind, key) => element("span", { class: "key" }, element("i", { class: `pip ${kind}` }), t(`calendar.key_${key}`));
  return element("p", { class: "fine keys" },
    mark("done won", "came_out"), mark("done", "finished"), mark("begun", "under_way"),
    mark("spoiled", "spoiled"), mark("past", "not_played"),
    Object.entries(CERTIFIED_MARKS).map(([kind, sign]) => element("span", { class: "key" }, `${sign} `, t(`calendar.key_${kind}`))));
}
