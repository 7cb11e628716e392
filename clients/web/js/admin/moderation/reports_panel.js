/**
 * The reports of players: those that wait with the evidence beside each, and those that are settled.
 *
 * @import { ReportForStaff } from "wire"
 */
import { nameWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { listRules } from "../../net/api.js";
import { listReports, settleReport } from "../../net/reports_api.js";
import { removeMessage } from "../../net/chat_api.js";
import { confirmAction } from "../../ui/dialogs.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";
import { makeChoices } from "../../ui/tabs.js";
import { askAct } from "../act_dialog.js";
import { possibleActs } from "../acts.js";
import { momentWords } from "../moments.js";
import { copyRow, paceRow, paceWords } from "./finding_rows.js";
import { figuresOf } from "./runs_panel.js";
import { askNote } from "../why_dialog.js";

const PAGE = 20;

/** @param {"moderator"|"host"} role of who looks @param {() => unknown} changed is called when a report was settled */
export async function makeReportsPanel(role, changed) {
  const names = new Map((await listRules()).map(({ slug, name }) => [slug, name]));
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const rows = element("div");
  let settled = false;
  let count = PAGE;

  async function load() {
    problem.textContent = "";
    try {
      const { reports, more } = await listReports(settled, 0, count);
      fill(rows, reports.length ? element("ul", { class: "rows reports" }, reports.map(row)) : element("p", {}, t("report.none")),
        more && count < 50 && element("p", { class: "actions" }, button(t("admin.more"), () => {
          count = 50;
          return load();
        })));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }
  /** @param {ReportForStaff} report */
  const row = (report) => {
    const { about, run, message, pace, copies, paces, reason, text, others = 0, by, at, acts } = report;
    return element("li", {}, element("div", {}, element("strong", {}, playerName(about.player)), " · ", t(`admin.reason_${reason}`),
      others > 0 ? [" · ", t("report.others", { count: others })] : [],
      text && element("p", {}, `“${text}”`),
      element("p", { class: "fine" }, t("report.by", { name: nameWords(by), moment: momentWords(at) }), report.outcome ? [" · ", t(`report.${report.outcome}`,
        { day: momentWords(report.settled_at ?? at) })] : []),
      message && element("blockquote", { class: "quoted", dir: "auto" }, message.text),
      run && element("p", {}, figuresOf(run, names).join(" · "), " ", link(`/replay/${run.game}`, t("admin.look_at_run")), " · ", link(`/house?run=${run.game}`, t("admin.the_run"))),
      pace && element("p", { class: "fine" }, paceWords(pace)),
      run?.day && !copies && element("p", { class: "fine" }, t("report.not_compared")),
      copies && (copies.length + (paces ?? []).length ? element("ul", { class: "rows" }, copies.map(copyRow), (paces ?? []).map(paceRow))
        : element("p", { class: "fine" }, t("report.nothing_found"))),
      acts.length > 0 && element("details", {}, element("summary", {}, t("report.earlier", { count: acts.length })),
        element("ul", {}, acts.map((act) => element("li", {}, [t(`admin.was_${act.act}`), act.reason && t(`admin.reason_${act.reason}`), momentWords(act.at)].filter(Boolean).join(" · ")))))),
    !report.outcome && element("p", { class: "actions" },
      possibleActs(about, role).length > 0 && button(t("admin.act_short"), async () => {
        if (await askAct(about, role)) await settle(report, "acted");
      }),
      message?.group && button(t("talk.remove"), () => remove(message.group ?? "", message.id)),
      button(t("report.settle_acted"), () => settle(report, "acted")), button(t("report.settle_nothing"), () => settle(report, "nothing"))));
  };
  /** @param {ReportForStaff} report @param {"acted"|"nothing"} outcome */
  async function settle(report, outcome) {
    said.textContent = "";
    const title = `${t(`report.settle_${outcome}`)}: ${nameWords(report.about.player)}`;
    if (!await askNote(title, (note) => settleReport(report.id, { outcome, note }))) return;
    await Promise.all([load(), changed()]);
    said.textContent = t("admin.done");
  }
  /** @param {string} group @param {string} id */
  async function remove(group, id) {
    said.textContent = problem.textContent = "";
    try {
      if (!await confirmAction(t("talk.remove_question"), t("talk.remove"), t("common.no"))) return;
      await removeMessage(group, id);
      await load();
      said.textContent = t("admin.done");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }
  await load();
  return element("section", { class: "panel" }, element("h2", {}, t("admin.reports")), element("p", {}, t("report.words")),
    makeChoices(t("admin.reports"), [{ text: t("report.open"), value: false }, { text: t("report.settled"), value: true }], false, (value) => {
      settled = value;
      said.textContent = "";
      load();
    }), problem, said, rows);
}
