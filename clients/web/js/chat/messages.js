/** The messages of a group as they are known here. @import { TalkMessage } from "wire" */

/**
 * What is known with what has come: in the order in which it was written, each message once, the later word of it.
 * @param {TalkMessage[]} known
 * @param {TalkMessage[]} come
 */
export function mergeMessages(known, come) {
  const byId = new Map([...known, ...come].map((message) => [message.id, message]));
  for (const message of known) if (message.removed) byId.set(message.id, message);
  return [...byId.values()].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}
