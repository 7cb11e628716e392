/**
 * Predicts what a move will do, to show it before the server has answered. Cards carried over, exchanged or removed together
 * are predicted from the move itself; a verb from what the same verb did last time, with unknown cards face down; taking back
 * from the earlier positions. What the rules do after a move is not predicted.
 *
 * @typedef {import("./effects.js").Piles} Piles
 * @typedef {{kind: "play", move: import("./moves.js").Move, shown: boolean} | {kind: "best", pile: string, depth: number}
 *   | {kind: "take_back", shown: boolean} | {kind: "resign"}} QueuedCommand `shown`: its effects are predicted;
 *   "best": the best move of these cards at the time it is sent
 * @typedef {Object} PredictionContext what a prediction needs to know of the game
 * @property {(pile: string) => boolean} liesDown whether cards laid on a pile lie face down
 * @property {string|null} discard the pile for removed cards, if there is exactly one
 * @property {Map<string, string[]>} verbs the last effects of each verb
 */
import { applyEffects } from "./effects.js";

/**
 * The piles after all queued commands, as far as can be predicted.
 * @param {Piles} piles
 * @param {QueuedCommand[]} commands in order
 * @param {Piles[]} past earlier positions, the latest last
 * @param {PredictionContext} context
 * @returns {Piles}
 */
export function predictPiles(piles, commands, past, context) {
  const before = [...past];
  return commands.reduce((now, command) => {
    if (command.kind === "best" || command.kind === "resign" || !command.shown) return now;
    if (command.kind === "take_back") return before.pop() ?? now;
    before.push(now);
    return predictMove(now, command.move, context);
  }, piles);
}

/**
 * The piles after a move. The same piles where nothing can be predicted.
 * @param {Piles} piles
 * @param {import("./moves.js").Move} move
 * @param {PredictionContext} context
 * @returns {Piles}
 */
export function predictMove(piles, move, { liesDown, discard, verbs }) {
  const effects = plainEffects(move, discard) ?? verbs.get(move.text) ?? [];
  return (effects.length && applyEffects(piles, effects, liesDown)) || piles;
}

/**
 * The effects that follow from the move alone; undefined where they do not.
 * @param {import("./moves.js").Move} move
 * @param {string|null} discard
 */
function plainEffects(move, discard) {
  if (move.kind === "transfer") return [`moved ${move.from} ${move.to} ${move.count}`];
  if (move.kind === "exchange") return [`exchanged ${move.piles.join(" ")}`];
  if (move.kind === "gather" && discard) return move.piles.map((pile) => `moved ${pile} ${discard} 1`);
  return undefined;
}

/**
 * The moves that are probably still legal after other piles have changed: those that touch no changed pile.
 * @param {import("./moves.js").Move[]} moves
 * @param {Piles} known the piles for which the moves were legal
 * @param {Piles} now
 */
export function likelyMoves(moves, known, now) {
  if (known === now) return moves;
  const same = (/** @type {string} */ pile) => known[pile] === now[pile] || String(known[pile]) === String(now[pile]);
  return moves.filter((move) => (move.kind === "transfer" ? same(move.from) && same(move.to) : move.piles.every(same)));
}

/** Whether two positions look the same. @param {Piles} one @param {Piles|null} other */
export function samePosition(one, other) {
  return other !== null && Object.keys(one).every((pile) => one[pile] === other[pile] || String(one[pile]) === String(other[pile]));
}
