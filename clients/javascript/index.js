/** The modules of the web client that need no page: requests, the socket, and what is known of a game. */
import { english } from "./lib/english.js";
import { setLanguage } from "./lib/language/translate.js";
import { currentServer } from "./lib/net/api.js";
import { Connection } from "./lib/net/connection.js";

export * from "./lib/net/api.js";
export { Connection, setLanguage };
export { randomNonce } from "./lib/net/random_nonce.js";
export { applyMessage, elapsedMilliseconds, isFinished, isOver, UNKNOWN_SESSION } from "./lib/game/session.js";
export { parseMove } from "./lib/game/moves.js";

/**
 * A connection to the server of `useServer`, as the player whose token it has, for everything live.
 * @param {{new(address: string, options: any): import("./lib/net/connection.js").Socket}} [Socket] a WebSocket that takes
 *   `headers`, as Node's own and `ws` do
 */
export function connect(Socket = /** @type {any} */ (globalThis.WebSocket)) {
  return new Connection({
    open: () => {
      const { origin, token } = currentServer();
      return new Socket(`${origin.replace(/^http/, "ws")}/ws/v1`, token ? { headers: { Authorization: `Bearer ${token}` } } : {});
    },
  });
}

setLanguage("en", english);
