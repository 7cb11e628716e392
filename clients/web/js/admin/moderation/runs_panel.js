/**
 * One run: what it is and how it ended. It can be taken off the boards, and put back.
 *
 * @import { RunForStaff } from "wire"
 */
import { isOfEvening } from "../../game/session.js";
import { dayWords, durationWords, nameWords, statusWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { formatNumber, t } from "../../language/translate.js";
import { struckWords } from "../../leaderboards/disqualified.js";
import { listRules } from "../../net/api.js";
import { readRun, strikeRun } from "../../net/admin_api.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";
import { momentWords } from "../moments.js";
import { askWhy } from "../why_dialog.js";

/** The id of the run that a link or an id names: its last part. @param {string} text */
export const runNamed = (text) => text.trim().replace(/[?#].*$/, "").split("/").filter(Boolean).pop() ?? "";

/** @param {string} [asked] the id of the run that is shown at first */
export async function makeRunsPanel(asked = "") {
  const names = new Map((await listRules()).map(({ slug, name }) => [slug, name]));
  const named = element("input", { id: "run-named", required: true, maxlength: 200, autocomplete: "off", value: asked });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const shown = element("div");

  async function load() {
    problem.textContent = "";
    fill(shown);
    try {
      show(await readRun(runNamed(named.value)));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }
  /** @param {RunForStaff} run */
  function show(run) {
    const struck = Boolean(run.struck);
    const title = t(struck ? "admin.return_run" : "admin.strike_run");
    fill(shown, element("ul", { class: "rows" }, element("li", {},
      element("span", {}, playerName(run.player), ...figuresOf(run, names).flatMap((words) => [" · ", words]),
        run.struck && element("small", { class: "fine" }, struckWords(run.struck))))),
    element("p", { class: "actions" }, run.score !== undefined && button(title, () => act(run, title), struck ? "button" : "button grave"),
      link(`/replay/${run.game}`, t("admin.look_at_run"), "button")));
  }
  /** @param {RunForStaff} run @param {string} title */
  async function act(run, title) {
    said.textContent = "";
    const words = `${title}: ${nameWords(run.player)}`;
    if (!await askWhy(words, run.struck ? "mistake" : "cheating", (why) => strikeRun(run.game, { ...why, struck: !run.struck }))) return;
    await load();
    said.textContent = t("admin.done");
  }
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    said.textContent = "";
    load();
  };
  if (asked) await load();
  return element("section", { class: "panel" }, element("h2", {}, t("admin.runs")), element("p", {}, t("admin.runs_words")),
    element("form", { class: "line", on: { submit } }, element("label", { for: named.id }, t("admin.run_named")),
      element("span", {}, named, element("button", { class: "button primary" }, t("admin.find")))), problem, said, shown);
}

/** What a run is and how it ended, in words. @param {RunForStaff} run @param {Map<string, string>} names */
export function figuresOf(run, names) {
  const { rules, status, started_at: started, score, moves, milliseconds } = run;
  const found = [names.get(rules) ?? rules, kindWords(run), statusWords(status)];
  if (score !== undefined) found.push(t("admin.run_score", { score: formatNumber(score) }), t("common.moves", { count: moves ?? 0 }), durationWords(milliseconds ?? 0));
  return [...found, momentWords(started)];
}

/** What a run was played for. @param {RunForStaff} run */
function kindWords(run) {
  if (run.day && run.slot) return t("admin.run_of_day", { day: dayWords(run.day), slot: run.slot });
  return t(isOfEvening(run) ? "evenings.evening" : `unfinished.kind_${run.mode}`);
}
