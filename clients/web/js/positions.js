/** A finished game as a row of positions, one for each message. */
import { receive, UNKNOWN } from "./session.js";

/**
 * @param {{dealt: object, messages: object[]}} replay
 * @returns {{session: import("./session.js").Session, words: string}[]} the deal first
 */
export function positions({ dealt, messages }) {
  let session = receive(UNKNOWN, { type: "view", ...dealt }, 0);
  const made = [{ session, words: "The deal" }];
  for (const message of messages) {
    session = receive(session, message, 0);
    if (message.type === "move_played") made.push({ session, words: message.move });
    else if (message.type === "move_taken_back") made.push({ session, words: "taken back" });
    else made[made.length - 1] = { ...made[made.length - 1], session };
  }
  return made;
}
