/**
 * One's own games with their numbers in the server's log: a game that was kept back has none.
 *
 * @import { OwnRun } from "wire"
 */
import { momentWords, statusWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { listOwnRuns } from "../net/account_api.js";
import { isFinished } from "../game/session.js";
import { button, element, link } from "../ui/dom.js";

/** @param {(slug: string) => string} nameOf the name of a game */
export async function makeOwnRunsPanel(nameOf) {
  const problem = element("p", { class: "problem", role: "alert" });
  const rows = element("ul", { class: "rows" });
  const more = button(t("account.runs_more"), show);

  async function show() {
    problem.textContent = "";
    try {
      const found = await listOwnRuns(rows.childElementCount);
      rows.append(...found.runs.map((run) => makeRow(run, nameOf)));
      more.hidden = !found.more;
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }

  await show();
  if (!rows.childElementCount && !problem.textContent) return null;
  return element("section", { class: "panel own-runs" }, element("h2", {}, t("account.runs")),
    element("p", { class: "fine" }, t("account.runs_words")), rows, problem, element("p", { class: "actions" }, more));
}

/** @param {OwnRun} run @param {(slug: string) => string} nameOf */
function makeRow({ game, entry }, nameOf) {
  const ended = isFinished(game.status);
  return element("li", {}, link(ended ? `/replay/${game.id}` : `/play/${game.id}`, nameOf(game.rules)),
    element("span", { class: "fine" }, `${statusWords(game.status)} · ${momentWords(game.started_at)}`),
    element("span", {}, entry === undefined ? t(ended ? "account.run_waits" : "account.run_goes_on") : t("account.run_number", { number: entry + 1 })));
}
