/**
 * The analysis of a finished game above the controls of its replay: asking for it, how far it is, where the game was lost, what
 * is known of the position that is seen, a way to win from there, and a new game that begins there.
 *
 * @import { Analysis, RulesPage, View } from "wire"
 * @import { App } from "../main.js"
 * @import { Step } from "./verdicts.js"
 */
import { certifiedWords } from "../daily/certified_words.js";
import { waySteps } from "../game/replay_steps.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { analyseGame, playOn, readAnalysis, readDaily, readWay } from "../net/api.js";
import { button, element, fill, keepFocus } from "../ui/dom.js";
import { makeStrip } from "./strip.js";
import { choicesWords, isDecided, progressWords, summaryWords, verdictWords } from "./verdict_words.js";
import { choicesAt, findings, lastWonBefore, stepVerdicts } from "./verdicts.js";
import { showWay } from "./winning_line_dialog.js";

/**
 * @param {View} view of the game, which is over
 * @param {Step[]} steps
 * @param {number} first index of the step that is seen until `show` tells another
 * @param {RulesPage} rules
 * @param {App} app
 * @param {(index: number) => void} go goes to a step
 * @returns {{node: HTMLElement, show: (index: number) => void, close: () => void}} `show` tells which step is seen
 */
export function makeAnalysisBand({ game: { id, day, slot }, status }, steps, first, rules, app, go) {
  const strip = makeStrip(steps, go);
  const summary = element("p", { class: "summary", role: "status" });
  const progress = element("p", { class: "progress" });
  const here = element("p", { class: "here" });
  const certified = element("p", { class: "fine certified" });
  const problem = element("p", { class: "problem", role: "alert" });
  const ask = button(t(status === "won" ? "analysis.analyse" : "analysis.where_lost"), () => attempt(async () => {
    await app.ensurePlayer();
    receive(await analyseGame(id));
    follow();
    on.focus();
  }), "button primary");
  ask.title = t("analysis.about");
  const way = button(t("analysis.show_way"), () => attempt(async () => {
    const from = now;
    const found = waySteps(steps[from].session, await readWay(id, steps[from].version));
    dialog = await showWay(rules, found, t(from ? "analysis.way_from" : "analysis.way_from_deal", { move: from, count: found.length - 1 }), t("analysis.back_to_replay"));
  }));
  const on = button(t("analysis.play_on"), () => attempt(async () => {
    await app.ensurePlayer();
    app.go(`/play/${(await playOn(id, steps[now].version)).id}`);
  }));
  const back = button("", () => attempt(async () => {
    if (!analysis) return;
    await app.ensurePlayer();
    app.go(`/play/${(await playOn(id, steps[lastWonBefore(analysis, steps, now)].version)).id}`);
  }));
  const actions = element("p", { class: "actions" }, ask, way, back, on);
  const node = element("section", { class: "analysis", "aria-label": t("analysis.analysis"), hidden: true },
    strip.node, element("div", { class: "findings" }, element("div", {}, summary, progress, here, certified), actions), problem);
  /** @type {Analysis|null} */
  let analysis = null;
  let now = first;
  /** What the summary says; it is changed only with its words, as it is announced. */
  let told = "";
  let closed = false;
  /** @type {HTMLDialogElement|null} */
  let dialog = null;
  let stop = () => {};

  /** @param {() => Promise<void>} work */
  async function attempt(work) {
    fill(problem);
    await work().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  }

  /** Follow the analysis until it is done or the page is left. */
  function follow() {
    stop();
    if (!closed && analysis && isUnderWay(analysis)) stop = app.connection.watchAnalysis(id, receive);
  }

  /** @param {Analysis} known */
  function receive(known) {
    if (closed) return;
    analysis = known;
    node.hidden = false;
    if (!isUnderWay(known)) stop();
    keepFocus(node, render);
  }

  function render() {
    if (!analysis) return;
    const { state, verdicts } = analysis;
    ask.hidden = state !== "none";
    strip.node.hidden = verdicts.every((verdict) => verdict === null);
    const decided = state === "done" || (state === "working" && isDecided(analysis, steps));
    const words = decided ? summaryWords(analysis, steps) : "";
    if (told !== words) fill(summary, words, ...(words ? earlierLosses(analysis) : []));
    told = words;
    progress.textContent = progressWords(analysis, steps);
    strip.show(analysis, words || progress.textContent);
    showStep();
  }

  /** Buttons that go to moves that lost a win and were taken back. @param {Analysis} known */
  function earlierLosses(known) {
    return findings(known, steps).takenBack.map((loss) => button(t("replay.at_move", { move: loss }), () => go(loss), "quiet"));
  }

  /** What is known of the position that is seen. */
  function showStep() {
    if (!analysis) return;
    const verdict = stepVerdicts(analysis, steps)[now];
    const choices = choicesAt(analysis, steps, now);
    const words = choices ? t("analysis.here_and", { verdict: verdictWords(verdict), choices: choicesWords(choices, "keep") }) : verdictWords(verdict);
    here.hidden = strip.node.hidden;
    here.textContent = t(now ? "analysis.at_step" : "analysis.at_deal", { move: now, words });
    const isEnd = now === steps.length - 1 && status === "won";
    way.hidden = verdict !== "won" || isEnd;
    on.hidden = isEnd;
    const won = verdict === "lost" ? lastWonBefore(analysis, steps, now) : -1;
    back.hidden = won < 0;
    back.textContent = t(won > 0 ? "analysis.play_on_from_won" : "analysis.play_on_from_won_deal", { move: won });
    strip.point(now);
  }

  if (day && slot) readDaily(day).then(({ deals }) => {
    certified.textContent = deals.filter((deal) => deal.slot === slot).map(certifiedWords).join("");
  }).catch(() => {}); // the analysis is there without it
  readAnalysis(id).then((known) => {
    receive(known);
    follow();
  }).catch((refusal) => {
    node.hidden = false;
    strip.node.hidden = actions.hidden = true;
    problem.textContent = refusalWords(refusal);
  });
  return {
    node,
    show(index) {
      now = index;
      if (analysis) fill(problem); // without it, the problem says why there is none
      showStep();
    },
    close() {
      closed = true;
      stop();
      dialog?.close();
    },
  };
}

/** @param {Analysis} analysis */
function isUnderWay({ state }) {
  return state === "waiting" || state === "working";
}
