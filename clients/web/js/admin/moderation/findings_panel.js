/**
 * What the copy detector has found about the closed days. Nothing follows from it by itself.
 *
 * @import { FindingsDay } from "wire"
 */
import { dayWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readFindings, readWaiting } from "../../net/reports_api.js";
import { serverNow } from "../../net/server_clock.js";
import { button, element, fill } from "../../ui/dom.js";
import { copyRow, paceRow } from "./finding_rows.js";

const MILLISECONDS_PER_DAY = 24 * 3600 * 1000;

/** @param {string} asked the day that is shown at first @param {() => unknown} changed is called when findings were read */
export async function makeFindingsPanel(asked, changed) {
  const yesterday = new Date(serverNow() - 2 * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
  const day = element("input", { id: "findings-day", type: "date", required: true, value: asked || yesterday });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const latest = element("div");
  const shown = element("ul", { class: "rows" });

  async function showLatest() {
    const { days } = await readWaiting();
    fill(latest, days.length > 0 && element("h3", {}, t("findings.latest")), days.length > 0 && element("ul", { class: "rows" }, days.map(dayRow)));
  }
  /** @param {FindingsDay} about */
  const dayRow = ({ day: one, found, seen }) => {
    const made = button(t("findings.look"), () => look(one), "quiet");
    made.setAttribute("aria-label", `${t("findings.look")}: ${dayWords(one)}`);
    return element("li", {}, element("span", {}, dayWords(one), " · ", t("findings.found", { count: found }),
      !seen && element("strong", {}, ` · ${t("findings.new")}`)), made);
  };
  /** @param {string} one */
  async function look(one) {
    day.value = one;
    problem.textContent = "";
    said.textContent = t("findings.looking");
    fill(shown);
    try {
      const { runs, copies, paces } = await readFindings(one);
      said.textContent = copies.length + paces.length ? t("findings.compared", { count: runs }) : t("findings.none", { count: runs });
      fill(shown, copies.map(copyRow), paces.map(paceRow));
      await Promise.all([showLatest(), changed()]);
    } catch (refusal) {
      said.textContent = "";
      problem.textContent = refusalWords(refusal);
    }
  }
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    look(day.value);
  };
  await (asked ? look(asked) : showLatest());
  return element("section", { class: "panel" }, element("h2", {}, t("admin.findings")), element("p", {}, t("findings.words")), latest,
    element("form", { class: "line", on: { submit } }, element("label", { for: day.id }, t("findings.day")),
      element("span", {}, day, element("button", { class: "button primary" }, t("findings.look")))), problem, said, shown);
}
