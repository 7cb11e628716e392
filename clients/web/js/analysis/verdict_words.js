/**
 * The analysis of a game in sentences.
 *
 * @import { Analysis, Choices } from "wire"
 * @import { Findings, Step, Verdict } from "./verdicts.js"
 */
import { t } from "../language/translate.js";
import { choicesAt, decidedCount, findings } from "./verdicts.js";

/** What a verdict says of the position that is seen. @param {Verdict|null} verdict */
export function verdictWords(verdict) {
  return t(`analysis.verdict_${verdict ?? "none"}`);
}

/** "2 of 7 moves keep the win". @param {Choices} choices @param {"keep"|"kept"} tense */
export function choicesWords({ keeping, losing, unknown }, tense) {
  return t(unknown ? `analysis.${tense}_at_least` : `analysis.${tense}`, { count: keeping, total: keeping + losing + unknown });
}

/** Whether every step has a verdict: the moves that keep the win may still be counted. @param {Analysis} analysis @param {Step[]} steps */
export function isDecided(analysis, steps) {
  return decidedCount(analysis, steps) === steps.length;
}

/** How far an analysis is that is not done; empty for one that is. @param {Analysis} analysis @param {Step[]} steps */
export function progressWords(analysis, steps) {
  const { state, ahead, nodes } = analysis;
  if (state === "waiting") return ahead ? t("analysis.waiting", { count: ahead }) : t("analysis.next");
  if (state !== "working") return "";
  if (isDecided(analysis, steps)) return t("analysis.counting", { nodes });
  return t("analysis.working", { known: decidedCount(analysis, steps), total: steps.length });
}

/**
 * Where a game was lost, or that it was not, in one or two sentences.
 * @param {Analysis} analysis that has a verdict on every step
 * @param {Step[]} steps
 */
export function summaryWords(analysis, steps) {
  const found = findings(analysis, steps);
  const count = found.takenBack.length;
  const words = endWords(found, analysis, steps);
  return count ? `${words} ${t("analysis.taken_back", { count })}` : words;
}

/** @param {Findings} found @param {Analysis} analysis @param {Step[]} steps */
function endWords({ lastWon, firstLost, loss, takenBack }, analysis, steps) {
  const move = firstLost ?? 0;
  if (lastWon === null) return t(firstLost === null ? "analysis.unknown" : move === 0 ? "analysis.never" : "analysis.lost_by", { move });
  if (lastWon === steps.length - 1) {
    if (steps[lastWon].session.status !== "won") return t("analysis.still");
    return t(takenBack.length ? "analysis.won_after_all" : "analysis.always");
  }
  if (loss === null && firstLost !== null) return t("analysis.lost_between", { before: lastWon, move });
  if (loss === null) return t(lastWon === 0 ? "analysis.won_deal" : "analysis.won_until", { before: lastWon });
  const choices = choicesAt(analysis, steps, lastWon);
  const lost = t(lastWon === 0 ? "analysis.lost_first" : "analysis.lost_with", { before: lastWon, move });
  return choices ? t("analysis.lost_and", { lost, choices: choicesWords(choices, "kept") }) : t("analysis.lost_end", { lost });
}
