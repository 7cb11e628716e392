/** A game as a list of steps: the deal, then one step for each move and each move taken back, with its time; and a way to win. */
import { parseMove } from "./moves.js";
import { UNKNOWN_SESSION, applyMessage } from "./session.js";

/**
 * @import { ChallengeSpoiled, MovePlayed, Replay, WayStep } from "wire"
 * @typedef {Object} Step
 * @property {import("./session.js").Session} session the state of the game after the step
 * @property {number} version of the game with this step
 * @property {"deal"|"move"|"back"|"here"} kind "here" is where a way to win begins
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
  return messages.reduce(appendMessage, /** @type {Step[]} */ ([start(session, "deal")]));
}

/**
 * A way to win as steps: the position where it begins, then one step for each move.
 * @param {import("./session.js").Session} from
 * @param {WayStep[]} way
 * @returns {Step[]}
 */
export function waySteps(from, way) {
  const id = from.game?.id ?? "";
  return way.reduce((steps, next, index) => {
    const { session, at } = steps[steps.length - 1];
    const rest = way.length - 1 - index;
    return appendMessage(steps, {
      ...next, type: "move_played", game: id, version: session.version + 1, moves: session.played + 1, status: rest ? "playing" : "won",
      at: at + (from.game?.started_at ?? 0), can_take_back: false,
    });
  }, [start(from, "here")]);
}

/** The first step of all. @param {import("./session.js").Session} session @param {"deal"|"here"} kind @returns {Step} */
function start(session, kind) {
  return { session, version: session.version, kind, move: null, effects: null, before: null, at: 0 };
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
  const { version } = session;
  if (message.type === "move_taken_back") return [...steps, { session, version, kind: "back", move: null, effects: null, before: null, at }];
  const move = parseMove(message.move, (name) => name in (session.piles ?? {}));
  return [...steps, { session, version, kind: "move", move, effects: message.effects ?? null, before: last.session.piles, at }];
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
