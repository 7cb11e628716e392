/** The modules of the web client that need no page: requests, the socket, and what is known of a game. */
import { Connection } from "./lib/net/connection.js";

export * from "./lib/net/api.js";
export { Connection };
export { randomNonce } from "./lib/net/random_nonce.js";
export { applyMessage, elapsedMilliseconds, isFinished, isOver, UNKNOWN_SESSION } from "./lib/game/session.js";
export { parseMove } from "./lib/game/moves.js";

/**
 * A connection to a server, for everything live.
 * @param {string} origin "https://patience.example"
 * @param {string} token of a session, or a personal token
 * @param {{new(address: string, options: any): WebSocket}} [Socket] a WebSocket that takes `headers`, as Node's own and `ws` do
 */
export function connect(origin, token, Socket = /** @type {any} */ (WebSocket)) {
  const address = `${origin.replace(/^http/, "ws").replace(/\/+$/, "")}/ws/v1`;
  return new Connection({ open: () => new Socket(address, { headers: { Authorization: `Bearer ${token}` } }) });
}
