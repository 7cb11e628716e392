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
const query = (wanted) => {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
};

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

export const readPace = (game) => get(`/games/${part(game)}/pace`);

export const listDailies = (before) => get(`/dailies${query({ before })}`).then(({ dailies }) => dailies);
export const readDaily = (day) => get(`/dailies/${part(day)}`);
export const enterDaily = (day, slot) => post(`/dailies/${part(day)}/deals/${slot}/games`).then(({ game }) => game);
export const practise = (day, slot) => post(`/dailies/${part(day)}/deals/${slot}/games`, { practice: true }).then(({ game }) => game);
export const spoilDeal = (day, slot) => post(`/dailies/${part(day)}/deals/${slot}/spoil`).then(({ deal }) => deal);
export const readShare = (day) => get(`/dailies/${part(day)}/share`).then(({ text }) => text);

export const readBoard = (board, wanted) => get(`/boards/${part(board)}${query(wanted)}`);
export const readProfile = (player) => get(`/players/${part(player)}`);

export const listFriends = () => get("/friends").then(({ friends }) => friends);
export const follow = (name) => ask("PUT", `/friends/${part(name)}`);
export const unfollow = (name) => ask("DELETE", `/friends/${part(name)}`);
export const listGroups = () => get("/groups").then(({ groups }) => groups);
export const makeGroup = (name) => post("/groups", { name });
export const joinGroup = (token) => post("/groups/join", { token });
export const leaveGroup = (group) => ask("DELETE", `/groups/${part(group)}/members/me`);
export const makeBot = (name) => post("/bots", { name });

export const openRace = (race) => post("/races", race);
export const listRaces = () => get("/races").then(({ races }) => races);
export const readRace = (race) => get(`/races/${part(race)}`);
export const joinRace = (race, nonce, token) => post(`/races/${part(race)}/join`, { nonce, token });
export const leaveRace = (race) => post(`/races/${part(race)}/leave`);
export const startRace = (race) => post(`/races/${part(race)}/start`);
export const openRematch = (race, nonce) => post(`/races/${part(race)}/rematch`, { nonce });
