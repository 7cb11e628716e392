/**
 * What the analysis of a game says of the steps of its replay. Without page and network.
 *
 * @import { Analysis } from "wire"
 * @typedef {import("../game/replay_steps.js").Step} Step
 * @typedef {NonNullable<Analysis["verdicts"][number]>} Verdict
 * @typedef {{verdict: Verdict|null, from: number, count: number}} Stretch neighbouring steps with one verdict
 * @typedef {Object} Findings what the analysis says of a whole run, in numbers of steps
 * @property {number|null} lastWon the last step that could still be won
 * @property {number|null} firstLost the first step after that which is lost
 * @property {number|null} loss the step with which the win was lost, if it is known
 * @property {number[]} takenBack the steps before with which a win was lost, and which were taken back
 */

/** The verdict on each step; null where there is none yet. @param {Analysis} analysis @param {Step[]} steps @returns {(Verdict|null)[]} */
export function stepVerdicts({ verdicts }, steps) {
  return steps.map(({ version }) => verdicts[version - 1] ?? null);
}

/** The verdicts as stretches of steps. @param {(Verdict|null)[]} verdicts @returns {Stretch[]} */
export function stretches(verdicts) {
  /** @type {Stretch[]} */
  const found = [];
  verdicts.forEach((verdict, from) => {
    const last = found[found.length - 1];
    if (last && last.verdict === verdict) last.count += 1;
    else found.push({ verdict, from, count: 1 });
  });
  return found;
}

/** The last step before this one that could still be won; -1 if none is known. @param {Analysis} analysis @param {Step[]} steps @param {number} index */
export function lastWonBefore(analysis, steps, index) {
  return stepVerdicts(analysis, steps).slice(0, index).lastIndexOf("won");
}

/** @param {Analysis} analysis @param {Step[]} steps @returns {Findings} */
export function findings(analysis, steps) {
  const verdicts = stepVerdicts(analysis, steps);
  const lastWon = verdicts.lastIndexOf("won");
  const firstLost = verdicts.indexOf("lost", lastWon + 1);
  return {
    lastWon: lastWon < 0 ? null : lastWon,
    firstLost: firstLost < 0 ? null : firstLost,
    loss: lastWon >= 0 && firstLost === lastWon + 1 ? firstLost : null,
    takenBack: steps.flatMap(({ version }, index) => (index < lastWon && analysis.losses.includes(version) ? [index] : [])),
  };
}

/** What the moves of a step lead to, if they were counted. @param {Analysis} analysis @param {Step[]} steps @param {number} index */
export function choicesAt({ choices }, steps, index) {
  const { version } = steps[firstWithPosition(steps)[index]];
  return choices.find((one) => one.version === version);
}

/**
 * For each step the first one with the same position: the same moves led to both, apart from moves that were taken back.
 * @param {Step[]} steps
 * @returns {number[]}
 */
export function firstWithPosition(steps) {
  const before = new Map([[0, 0]]);
  const known = new Map();
  let at = 0;
  return steps.map(({ kind, move }, index) => {
    if (kind === "back") at = before.get(at) ?? 0;
    if (move === null) return at;
    const key = `${at} ${move.text}`;
    const first = known.get(key) ?? index;
    known.set(key, first);
    before.set(first, at);
    at = first;
    return at;
  });
}

/** How many steps have a verdict. @param {Analysis} analysis @param {Step[]} steps */
export function decidedCount(analysis, steps) {
  return stepVerdicts(analysis, steps).filter((verdict) => verdict !== null).length;
}

/** The number of the step with a version, or of the last one before it. @param {Step[]} steps @param {number} version */
export function stepWithVersion(steps, version) {
  return Math.max(0, steps.findLastIndex((step) => step.version <= version));
}
