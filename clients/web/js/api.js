/** The server's HTTP side: one function for each thing asked, and one kind of error. */

/** What the server refused, and why, in its own words. */
export class Refusal extends Error {
  /** @param {{code?: string, message?: string, version?: number, retry_after?: number}} body */
  constructor(body) {
    super(body.message ?? "The server did not answer.");
    this.code = body.code ?? "internal";
    this.version = body.version;
    this.retryAfter = body.retry_after;
  }
}

async function ask(method, path, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  let response;
  try {
    response = await fetch(`/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  } catch {
    throw new Refusal({ code: "offline", message: "The server cannot be reached just now." });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal({ message: `The server answered ${response.status}.`, ...answer });
  return answer;
}

const get = (path) => ask("GET", path);
const post = (path, body = {}) => ask("POST", path, body);
const part = encodeURIComponent;

export const whoAmI = () => get("/session").then(({ player }) => player ?? null);
export const beGuest = () => post("/session/guest").then(({ player }) => player);
export const signIn = (name, password) => post("/session", { name, password }).then(({ player }) => player);
export const signOut = () => ask("DELETE", "/session");
export const claimName = (name, password) => post("/account", { name, password }).then(({ player }) => player);

export const listRules = () => get("/rules").then(({ rules }) => rules);
export const readRules = (slug) => get(`/rules/${part(slug)}`);

export const sealDeal = (rules) => post("/deals", { rules });
export const beginGame = (deal, nonce) => post("/games", { deal, nonce }).then(({ game }) => game);
export const liveGames = () => get("/games/live").then(({ games }) => games);
export const readGame = (game) => get(`/games/${part(game)}`);
export const readReplay = (game) => get(`/games/${part(game)}/replay`);
export const recordAddress = (game) => `/api/v1/games/${part(game)}/record`;

export const listDailies = () => get("/dailies").then(({ dailies }) => dailies);
export const readDaily = (day) => get(`/dailies/${part(day)}`);
export const enterDaily = (day) => post(`/dailies/${part(day)}/games`).then(({ game }) => game);
export const readBoard = (day, offset, limit) => get(`/dailies/${part(day)}/board?offset=${offset}&limit=${limit}`);
