/** A finished game as a row of positions, one for each message. */
import { parseMove } from "./moves.js";
import { receive, UNKNOWN } from "./session.js";
import { moveWords } from "./words.js";

/**
 * @param {{dealt: object, messages: object[]}} replay
 * @returns {{session: import("./session.js").Session, words: string}[]} the deal first
 */
export function positions({ dealt, messages }) {
  let session = receive(UNKNOWN, { type: "view", ...dealt }, 0);
  const made = [{ session, words: "The deal" }];
  const isPile = (name) => name in session.piles;
  for (const message of messages) {
    session = receive(session, message, 0);
    if (message.type === "move_played") made.push({ session, words: moveWords(parseMove(message.move, isPile)) });
    else if (message.type === "move_taken_back") made.push({ session, words: "Taken back" });
    else made[made.length - 1] = { ...made[made.length - 1], session };
  }
  return made;
}

/**
 * The same with the time of each, in milliseconds since the deal.
 * @param {{dealt: object, messages: object[]}} replay
 * @returns {{session: import("./session.js").Session, words: string, at: number}[]}
 */
export function timeline(replay) {
  const moves = replay.messages.filter(({ type }) => ["move_played", "move_taken_back"].includes(type));
  const began = replay.dealt.game.started_at;
  return positions(replay).map((step, index) => ({ ...step, at: index === 0 ? 0 : moves[index - 1].at - began }));
}

/** Which step a table stands at after so much time. @param {{at: number}[]} steps in order @param {number} time */
export function stepAt(steps, time) {
  let index = 0;
  while (index + 1 < steps.length && steps[index + 1].at <= time) index += 1;
  return index;
}
