/**
 * The history: the events of the log about a game, a day, a race or a player, as far as the reader may see them.
 *
 * @import { HistoryEvent, HistoryPage } from "wire"
 * @import { About } from "./query.js"
 */
import { refusalWords } from "../../language/refusals.js";
import { formatDate, t } from "../../language/translate.js";
import { browseEvents } from "../../net/admin_api.js";
import { button, element, fill } from "../../ui/dom.js";
import { downloadAddress, EVENT_TYPES, queryOf } from "./query.js";

/** @type {About[]} */
const KINDS = ["game", "day", "race", "player", "hash"];
/** @type {("player"|"spectator"|"host"|"public")[]} */
const VIEWERS = ["player", "spectator", "host", "public"];

export function makeHistoryPanel() {
  const kind = element("select", { id: "history-kind" }, KINDS.map((value) => element("option", { value }, t(`admin.about_${value}`))));
  const value = element("input", { id: "history-value", type: "search", required: true, maxlength: 200, autocomplete: "off", spellcheck: "false" });
  const type = element("select", { id: "history-type" }, element("option", { value: "" }, t("admin.any_type")),
    EVENT_TYPES.map((name) => element("option", { value: name }, name)));
  const [from, until] = ["history-from", "history-until"].map((id) => element("input", { id, type: "date" }));
  const head = element("div");
  const rows = element("div", { class: "history" });
  const rest = element("p", { class: "actions" });
  const problem = element("p", { class: "problem", role: "alert" });

  /** @param {Record<string, string>} query @param {string} [after] */
  const load = async (query, after) => {
    problem.textContent = "";
    try {
      const page = await browseEvents({ ...query, after });
      if (!after) fill(head, ...headOf(page, query));
      rows.append(...page.events.map(row));
      fill(rest, page.next && button(t(page.events.length ? "admin.more" : "admin.search_on"), () => load(query, page.next)));
      if (!rows.children.length) fill(rows, element("p", { role: "status" }, t("admin.no_events")));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const query = queryOf({ kind: /** @type {About} */ (kind.value), value: value.value, type: type.value, from: from.value, until: until.value });
    for (const part of [head, rows, rest]) fill(part);
    if (query) load(query);
  };
  /** @param {string} label @param {HTMLElement} field */
  const labelled = (label, field) => element("span", { class: "field" }, element("label", { for: field.id }, label), field);
  return element("section", { class: "panel" }, element("h2", {}, t("admin.history")), element("p", {}, t("admin.history_words")),
    element("form", { class: "history-form", on: { submit } }, labelled(t("admin.about_what"), kind), labelled(t("admin.about_value"), value),
      labelled(t("admin.event_type"), type), labelled(t("admin.from_day"), from), labelled(t("admin.until_day"), until),
      element("button", { class: "button primary" }, t("admin.find"))), problem, head, rows, rest);
}

/** Who sees how much of the game, and the file. @param {HistoryPage} page @param {Record<string, string>} query */
function headOf({ sights, events }, query) {
  return [
    sights && element("ul", { class: "fine" }, VIEWERS.map((viewer) => element("li", {}, `${t(`admin.viewer_${viewer}`)}: ${t(`admin.sight_${sights[viewer]}`)}`))),
    events.length > 0 && element("p", { class: "actions" }, element("a", { class: "button", href: downloadAddress(query), download: "" }, t("admin.download_lines"))),
  ].filter((part) => part !== undefined && part !== false);
}

/** @param {HistoryEvent} event */
function row({ stream, version, type, at, hash, data, board, meter }) {
  const moment = formatDate(at, { dateStyle: "medium", timeStyle: "medium" });
  const parts = [hash && text(t("admin.event_hash"), hash), data && json(t("admin.in_log"), data), board && json(t("admin.shown_board"), board),
    meter && json(t("admin.shown_meter"), meter)].filter(Boolean);
  const head = [element("strong", {}, type), element("small", { class: "fine" }, ` ${moment} · ${stream} ${version}`)];
  return parts.length ? element("details", {}, element("summary", {}, ...head), ...parts.flat()) : element("p", {}, ...head);
}

/** @param {string} label @param {string} words */
const text = (label, words) => [element("h3", {}, label), element("pre", { tabindex: "0" }, words)];
/** @param {string} label @param {object} value */
const json = (label, value) => text(label, JSON.stringify(value, null, 1));
