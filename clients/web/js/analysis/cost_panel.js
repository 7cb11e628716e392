/**
 * What it cost that two runs of one deal parted: whether each could still be won from there, and where it was lost.
 *
 * @import { ComparedRun, Comparison } from "wire"
 * @import { App } from "../main.js"
 * @import { Step } from "./verdicts.js"
 * @typedef {{view: import("wire").View, name: string, steps: Step[]}} Run
 */
import { statusWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { formatNumber, t } from "../language/translate.js";
import { analyseGame, compareGames, Refusal } from "../net/api.js";
import { button, element, fill, link } from "../ui/dom.js";
import { stepWithVersion } from "./verdicts.js";

/**
 * @param {Run[]} runs two runs of one deal
 * @param {App} app
 * @returns {{node: HTMLElement, close: () => void}}
 */
export function makeCostPanel(runs, app) {
  const [one, other] = runs.map(({ view }) => view.game.id);
  const content = element("div", { role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const ask = button(t("analysis.analyse_both"), () => analyse().catch(refuse));
  const node = element("section", { class: "panel cost", hidden: true }, element("h2", {}, t("analysis.cost")), content,
    element("p", { class: "actions" }, ask), problem);
  /** @type {(() => void)[]} */
  let stops = [];
  let closed = false;

  async function analyse() {
    fill(problem);
    await app.ensurePlayer();
    const begun = await Promise.all([one, other].map(analyseGame));
    ask.hidden = true;
    fill(content, element("p", {}, t("analysis.comparing")));
    const open = new Set(begun.filter(({ state }) => state !== "done").map(({ game }) => game));
    if (open.size === 0) await show();
    if (closed) return;
    stops = [...open].map((game) => app.connection.watchAnalysis(game, ({ state }) => {
      if (state === "done" && open.delete(game) && open.size === 0) show().catch(refuse);
    }));
  }

  async function show() {
    const comparison = await compareGames(one, other);
    if (closed) return;
    node.hidden = false;
    ask.hidden = isKnown(comparison);
    fill(content, element("p", {}, partedWords(comparison)),
      element("ul", { class: "rows" }, comparison.runs.map((compared, index) => makeRow(compared, runs[index], comparison))));
  }

  /** @param {unknown} refusal */
  function refuse(refusal) {
    node.hidden = refusal instanceof Refusal && refusal.code === "conflict"; // the same cards by chance: these are compared move by move only
    ask.hidden = true;
    problem.textContent = refusalWords(refusal);
  }

  show().catch(refuse);
  return {
    node,
    close() {
      closed = true;
      stops.forEach((stop) => stop());
    },
  };
}

/** Whether the analysis of both runs has said something where they parted. @param {Comparison} comparison */
function isKnown({ verdict, runs }) {
  return verdict !== null && runs.every((run) => run.version === null || run.verdict !== null);
}

/** @param {Comparison} comparison */
function partedWords({ common_moves: count, verdict, runs }) {
  if (runs.every(({ version }) => version === null)) return t("analysis.never_parted", { count });
  return `${t(count ? "analysis.together" : "analysis.parted_at_once", { count })} ${t(`analysis.parted_${verdict ?? "none"}`)}`;
}

/** @param {ComparedRun} compared @param {Run} run @param {Comparison} comparison */
function makeRow({ result, score, moves, version, verdict, losses }, { view, name, steps }, comparison) {
  const step = version === null ? steps.length - 1 : stepWithVersion(steps, version);
  const lost = losses.length ? t("analysis.lost_here", { move: stepWithVersion(steps, losses[losses.length - 1]) }) : "";
  return element("li", {},
    element("strong", {}, name),
    element("span", {}, t("analysis.run_result", { result: statusWords(result), score: formatNumber(score), moves: t("common.moves", { count: moves }) })),
    element("span", { class: `cost-words ${verdict ?? ""}` }, costWords(version, verdict, comparison.verdict)),
    lost && element("span", {}, lost),
    link(`/replay/${view.game.id}?move=${step}`, t("analysis.from_there"), "fine"));
}

/** What the move with which a run parted did. @param {number|null} version @param {ComparedRun["verdict"]} after @param {Comparison["verdict"]} before */
function costWords(version, after, before) {
  if (version === null) return t("analysis.cost_ended");
  if (after === "lost") return t(before === "won" ? "analysis.cost_lost" : "analysis.cost_lost_then");
  return t(`analysis.cost_${after ?? "none"}`);
}
