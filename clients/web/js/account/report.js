/**
 * Reporting a run or a player to the hosts, and the reader's own reports.
 *
 * @import { GameCard, MyReport, NewReport, Player } from "wire"
 */
import { nameWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { formatDate, t } from "../language/translate.js";
import { readMyReports, reportRun } from "../net/reports_api.js";
import { button, clearOnInput, element, fill, link, oneAtATime } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

/** @type {NewReport["reason"][]} */
const REASONS = ["cheating", "name", "conduct", "second_account", "other"];

/**
 * A button that asks what is wrong and reports it.
 * @param {string} title what is reported
 * @param {NewReport["reason"]} usual
 * @param {(report: NewReport) => Promise<unknown>} send
 */
export function makeReportButton(title, usual, send) {
  const made = button(t("report.report"), () => ask(title, usual, send, () => made.replaceWith(element("span", { class: "fine", role: "status" }, t("report.sent")))), "quiet");
  return made;
}

/**
 * A button that reports somebody else's run; null for who may not.
 * @param {GameCard} game
 * @param {Player|null|undefined} reader
 */
export function makeRunReportButton(game, reader) {
  if (!reader || reader.guest || reader.id === game.player.id) return null;
  return makeReportButton(t("report.run_title", { name: nameWords(game.player) }), "cheating", (report) => reportRun(game.id, report));
}

/** @param {string} title @param {NewReport["reason"]} usual @param {(report: NewReport) => Promise<unknown>} send @param {() => void} done */
function ask(title, usual, send, done) {
  const reason = element("select", { id: "report-reason" },
    REASONS.map((value) => element("option", { value, selected: value === usual }, t(`admin.reason_${value}`))));
  const text = element("textarea", { id: "report-text", maxlength: 500, rows: 3, "aria-describedby": "report-hint" });
  const problem = element("p", { class: "problem", role: "alert" });
  const dialog = element("dialog", { class: "panel", "aria-labelledby": "report-title" });
  const submit = oneAtATime(async () => {
    problem.textContent = "";
    try {
      await send({ reason: /** @type {NewReport["reason"]} */ (reason.value), text: text.value.trim() });
      dialog.close();
      done();
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  const form = element("form", { class: "form", on: { submit: (/** @type {Event} */ event) => {
    event.preventDefault();
    submit();
  } } },
  element("label", { for: reason.id }, t("admin.reason")), reason, element("label", { for: text.id }, t("report.text")), text,
  element("p", { class: "fine", id: "report-hint" }, t("report.hint")), problem,
  element("p", { class: "actions" }, button(t("admin.cancel"), () => dialog.close()), element("button", { class: "button primary" }, t("report.send"))));
  clearOnInput(form, problem);
  fill(dialog, element("h2", { id: "report-title" }, title), form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** The reader's own reports; null if there are none. */
export async function makeMyReports() {
  const reports = await readMyReports();
  return reports.length === 0 ? null : element("section", { class: "panel" }, element("h2", {}, t("report.mine")),
    element("ul", { class: "rows" }, reports.map(row)));
}

/** @param {MyReport} report */
function row({ player, game, quoted, reason, at, settled_at: settled, outcome }) {
  const state = settled && outcome ? t(`report.${outcome}`, { day: formatDate(settled, { dateStyle: "medium" }) }) : t("report.waiting");
  return element("li", {}, element("span", {}, playerName(player), game ? [" · ", link(`/replay/${game}`, t("admin.the_run"))] : [],
    quoted && element("q", { dir: "auto" }, quoted),
    element("small", { class: "fine" }, [t(`admin.reason_${reason}`), formatDate(at, { dateStyle: "medium" }), state].join(" · "))));
}

/** What is reported, in words. @param {import("wire").Player} player */
export const reportTitle = (player) => t("report.title", { name: nameWords(player) });
