/** A game as a list of steps: the deal, then one step for each move and each move taken back, with its time. */
import { parseMove } from "./moves.js";
import { UNKNOWN_SESSION, applyMessage } from "./session.js";

/**
 * @import { ChallengeSpoiled, MovePlayed, Replay } from "wire"
 * @typedef {Object} Step
 * @property {import("./session.js").Session} session the state of the game after the step
 * @property {"deal"|"move"|"back"} kind
 * @property {import("./moves.js").Move|null} move
 * @property {string[]|null} effects of the move, in order; null if unknown
 * @property {import("./effects.js").Piles|null} before the piles before the move; null at the deal
 * @property {number} at milliseconds since the deal
 */

/**
 * All steps of a game so far.
 * @param {Replay} replay
 * @returns {Step[]} the deal first
 */
export function replaySteps({ dealt, messages }) {
  const session = applyMessage(UNKNOWN_SESSION, { ...dealt, type: "view" }, 0);
  return messages.reduce(appendMessage, /** @type {Step[]} */ ([{ session, kind: "deal", move: null, effects: null, before: null, at: 0 }]));
}

/**
 * The steps after one more message. The message adds a step, or changes the last one (the game is over, a secret is revealed).
 * A message that is known already changes nothing.
 * @param {Step[]} steps
 * @param {import("./session.js").GameMessage} message
 * @returns {Step[]}
 */
export function appendMessage(steps, message) {
  const last = steps[steps.length - 1];
  const session = applyMessage(last.session, message, 0);
  if (session.version === last.session.version) return steps;
  if (message.type !== "move_played" && message.type !== "move_taken_back") return [...steps.slice(0, -1), { ...last, session }];
  const at = message.at - (session.game?.started_at ?? 0);
  if (message.type === "move_taken_back") return [...steps, { session, kind: "back", move: null, effects: null, before: null, at }];
  const move = parseMove(message.move, (name) => name in (session.piles ?? {}));
  return [...steps, { session, kind: "move", move, effects: message.effects ?? null, before: last.session.piles, at }];
}

/**
 * The number of the last step at or before a time. The steps are in order.
 * @param {{at: number}[]} steps in order
 * @param {number} time
 */
export function stepAt(steps, time) {
  let index = 0;
  while (index + 1 < steps.length && steps[index + 1].at <= time) index += 1;
  return index;
}
