/**
 * The server's HTTP API: one function for each request, and one class of error.
 *
 * @import { Endpoints, NewRace, NewToken, RulesPage, Said, Settings } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { randomNonce } from "./random_nonce.js";
import { fetchRepeatedly } from "./repeated_fetch.js";
import { languageTag, t } from "../language/translate.js";

/** Pages of rules that were asked for, by name and language: they stay as they are as long as the page is open. @type {Map<string, Promise<RulesPage>>} */
const rulesRead = new Map();

/** The server, and the token that goes with each request; a page has neither, but its own server and a cookie. */
const server = { origin: "", token: "" };

/** Send all further requests to another server than that of the page. @param {string} origin @param {string} [token] */
export function useServer(origin, token = "") {
  server.origin = origin.replace(/\/+$/, "");
  server.token = token;
}

/** The server of `useServer`, with the present token: who signs in, claims a name or changes a password gets a new one. */
export const currentServer = () => ({ ...server });

/**
 * Send further requests to another server with the token of this answer, or without one if it has none.
 * @template {object} Answer
 * @param {Answer} answer
 */
export function keepToken(answer) {
  if (server.origin) server.token = "token" in answer ? String(answer.token) : "";
  return answer;
}

/** A request that the server refused, and why, in the reader's language. */
export class Refusal extends Error {
  /** @param {{code?: string, message?: string, said?: Said, version?: number, retry_after?: number}} body */
  constructor(body) {
    super(refusalWords({ message: t("common.no_answer"), ...body }));
    this.code = body.code ?? "internal";
    this.version = body.version;
    this.retryAfter = body.retry_after;
  }
}

/**
 * Send a request and return the answer. Throws Refusal.
 * @template {keyof Endpoints} Key
 * @param {Key} endpoint its method and path, "GET /games/{id}"
 * @param {Endpoints[Key]["takes"]} takes the values for the path and the query, then the body
 * @returns {Promise<Endpoints[Key]["answers"]>}
 */
export async function request(endpoint, ...takes) {
  const [method, path] = endpoint.split(" ");
  const [given = {}, body = method === "POST" ? {} : undefined] = /** @type {[PathValues?, object?]} */ (takes);
  /** @type {Record<string, string>} */
  const headers = {};
  if (body) headers["Content-Type"] = "application/json";
  if (server.token) headers.Authorization = `Bearer ${server.token}`;
  if (method === "POST") headers["Idempotency-Key"] = randomNonce();
  // A POST has an id, by which the server knows a repeated request for the same one.
  const reached = await fetchRepeatedly(`${server.origin}/api/v1${fillPath(path, given)}`, { method, headers, body: body && JSON.stringify(body) });
  if (!reached) throw new Refusal({ code: "offline", message: t("common.unreachable") });
  const { response, text } = reached;
  const answer = readJson(text);
  if (!response.ok) throw new Refusal({ message: t("common.answered", { status: String(response.status) }), ...answer });
  return answer;
}

/** What a text in JSON says; nothing for another text, as a proxy may send. @param {string} text */
function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * A path with its placeholders filled. Values without a placeholder become the query. Empty values are left out.
 * @typedef {Record<string, string|number|undefined>} PathValues
 * @param {string} path "/games/{id}"
 * @param {PathValues} given
 */
function fillPath(path, given) {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given[name] ?? ""));
  const query = Object.entries(given).filter(([name, value]) => !places.includes(name) && value !== undefined && value !== "");
  return query.length ? `${filled}?${new URLSearchParams(query.map(([name, value]) => [name, String(value)]))}` : filled;
}

export const readCurrentPlayer = () => request("GET /session").then(({ player }) => player ?? null);
export const signInAsGuest = () => request("POST /session/guest").then(keepToken).then(({ player }) => player);
/** @param {string} name @param {string} password */
export const signIn = (name, password) => request("POST /session", {}, { name, password }).then(keepToken).then(({ player }) => player);
export const signOut = () => request("DELETE /session").then(keepToken);
export const signOutEverywhere = () => request("DELETE /sessions").then(keepToken);
/** @param {string} present @param {string} wanted */
export const changePassword = (present, wanted) => request("PUT /account/password", {}, { old: present, new: wanted }).then(keepToken);
/** What the first page shows, in one answer. */
export const readHome = () => request("GET /home", { language: languageTag() });
/** How yesterday went, for who is signed in. */
export const readYesterday = () => request("GET /home/yesterday");
export const readSettings = () => request("GET /settings").then(({ settings }) => settings ?? null);
/** @param {Settings} settings */
export const saveSettings = (settings) => request("PUT /settings", {}, settings);
/**
 * Create an account, out of the guest who is signed in, if one is. If the answer is lost after that, the guest's session has ended:
 * sign in with the name instead.
 * @param {string} name @param {string} password @param {string} [invitation] the code from the link of an invitation
 */
export const claimName = (name, password, invitation) =>
  request("POST /account", {}, { name, password, invitation }).then(keepToken).then(keepNewCodes).catch((refusal) => {
    if (refusal.code !== "unauthorized") throw refusal;
    return signIn(name, password).catch(() => { throw refusal; });
  });

/** The recovery codes of the account that was just created. @type {string[]} */
const newCodes = [];
/** Keep the codes of a new account, whose player is returned. @param {Endpoints["POST /account"]["answers"]} answer */
export function keepNewCodes({ player, recovery_codes: codes = [] }) {
  newCodes.push(...codes);
  return player;
}
/** These codes, once. */
export const takeNewCodes = () => newCodes.splice(0);

export const listRules = () => request("GET /rules", { language: languageTag() }).then(({ rules }) => rules);
/** How many deals of every game a search has won and lost. */
export const readWinnability = () => request("GET /winnability", { language: languageTag() });
/** Every game as it stands on the shelf: with a picture of its table, and how long, how hard and how often won it is. */
export const listShelf = () => request("GET /shelf", { language: languageTag() }).then(({ games }) => games);
/** @param {string} slug */
export function readRules(slug) {
  const language = languageTag();
  const key = `${slug} ${language}`;
  const asked = rulesRead.get(key) ?? request("GET /rules/{slug}", { slug, language });
  rulesRead.set(key, asked);
  asked.catch(() => rulesRead.delete(key));
  return asked;
}

/** @param {string} rules */
export const sealDeal = (rules) => request("POST /deals", {}, { rules });
/**
 * @param {string} deal @param {string} nonce
 * @param {{number?: number, winnable?: boolean}} [wanted] the number of the numbered deal whose cards are wanted; whether the deal is to be winnable
 */
export const startGame = (deal, nonce, { number, winnable } = {}) =>
  request("POST /games", {}, { deal, nonce, number, winnable }).then(({ game }) => game);
/** A deal that was played, and its board. @param {string} deal */
export const readDeal = (deal) => request("GET /deals/{deal}", { deal });
/** Begin a casual game with the cards of a deal that was played. @param {string} deal */
export const playDeal = (deal) => request("POST /deals/{deal}/games", { deal }).then(({ game }) => game);
export const listUnfinishedGames = () => request("GET /games/unfinished").then(({ games }) => games);
export const listLiveGames = () => request("GET /games/live").then(({ games }) => games);
/** @param {string} id */
export const readGame = (id) => request("GET /games/{id}", { id });
/** @param {string} id */
export const readReplay = (id) => request("GET /games/{id}/replay", { id });
/** @param {string} id */
export const readPace = (id) => request("GET /games/{id}/pace", { id });
/** @param {string} id */
export const readResult = (id) => request("GET /games/{id}/result", { id });
/** Who stands for the record of a game. @param {string} id */
export const readAttestation = (id) => request("GET /games/{id}/attestation", { id });
/** The signed promise that the log will have the end of one's own game. @param {string} id */
export const readReceipt = (id) => request("GET /games/{id}/receipt", { id });
/** @param {string} id */
export const readAnalysis = (id) => request("GET /games/{id}/analysis", { id });
/** @param {string} id */
export const analyseGame = (id) => request("POST /games/{id}/analysis", { id });
/** @param {string} id @param {number} version */
export const readWay = (id, version) => request("GET /games/{id}/analysis/ways/{version}", { id, version: String(version) }).then(({ steps }) => steps);
/** The days whose puzzles are open, the latest first. */
export const listPuzzles = () => request("GET /puzzles").then(({ days }) => days);
/** @param {string} day */
export const readPuzzle = (day) => request("GET /puzzles/{day}", { day });
/** Begin a try at a puzzle, or go on with it. @param {string} day */
export const tryPuzzle = (day) => request("POST /puzzles/{day}/tries", { day }).then(({ game }) => game);
/** @param {string} day */
export const givePuzzleUp = (day) => request("POST /puzzles/{day}/give-up", { day });
/** @param {string} day */
export const readPuzzleWay = (day) => request("GET /puzzles/{day}/way", { day }).then(({ steps }) => steps);
/** How the deals of a closed day were won and lost. @param {string} day */
export const readReview = (day) => request("GET /dailies/{day}/review", { day });
/** The best line of a deal of a closed day. @param {string} day @param {number} slot */
export const readBestLine = (day, slot) => request("GET /dailies/{day}/deals/{slot}/best", { day, slot: String(slot) }).then(({ steps }) => steps);
/** @param {string} id @param {string} other */
export const compareGames = (id, other) => request("GET /games/{id}/comparison/{other}", { id, other });
/** @param {string} id @param {number} version */
export const playOn = (id, version) => request("POST /games/{id}/continuations", { id }, { version }).then(({ game }) => game);
/** @param {string} id */
export const recordAddress = (id) => `${server.origin}/api/v1${fillPath("/games/{id}/record", { id })}`;

/** @param {string} [before] a day */
export const listDailies = (before) => readDays(before).then(({ dailies }) => dailies);
/** The days before a day, and those of them that nobody could play. @param {string} [before] */
export const readDays = (before) => request("GET /dailies", { before });
/** @param {string} day */
export const readDaily = (day) => request("GET /dailies/{day}", { day });
/** @param {string} day @param {number} slot @param {boolean} [practice] */
export const enterDaily = (day, slot, practice) =>
  request("POST /dailies/{day}/deals/{slot}/games", { day, slot: String(slot) }, { practice }).then(({ game }) => game);
/** @param {string} day @param {number} slot */
export const startPractice = (day, slot) => enterDaily(day, slot, true);
/** @param {string} day @param {number} slot */
export const spoilDeal = (day, slot) =>
  request("POST /dailies/{day}/deals/{slot}/spoil", { day, slot: String(slot) }).then(({ deal }) => deal);
/** @param {string} day */
export const readShare = (day) => request("GET /dailies/{day}/share", { day, language: languageTag() }).then(({ text }) => text);

/** @param {string} board @param {Omit<Endpoints["GET /boards/{board}"]["takes"][0], "board">} wanted */
export const readLeaderboard = (board, wanted) => request("GET /boards/{board}", { board, ...wanted });
/** @param {string} id */
export const readProfile = (id) => request("GET /players/{id}", { id });
/** @param {string} id */
export const readCollection = (id) => request("GET /players/{id}/collection", { id });

export const listFriends = () => request("GET /friends").then(({ friends }) => friends);
/** @param {string} name */
export const followPlayer = (name) => request("PUT /friends/{name}", { name });
/** @param {string} name */
export const unfollowPlayer = (name) => request("DELETE /friends/{name}", { name });
export const listGroups = () => request("GET /groups").then(({ groups }) => groups);
/** @param {string} name */
export const createGroup = (name) => request("POST /groups", {}, { name });
/** @param {string} token */
export const findGroup = (token) => request("GET /groups/join/{token}", { token });
/** @param {string} token */
export const joinGroup = (token) => request("POST /groups/join", {}, { token });
/** @param {string} id */
export const leaveGroup = (id) => request("DELETE /groups/{id}/members/me", { id });
/** @param {string} id @param {string} player */
export const putOutOfGroup = (id, player) => request("DELETE /groups/{id}/members/{player}", { id, player });
/** @param {string} id */
export const renewGroupLink = (id) => request("PUT /groups/{id}/link", { id });
/** @param {string} name */
export const createBot = (name) => request("POST /bots", {}, { name });
export const listBots = () => request("GET /bots").then(({ bots }) => bots);
/** @param {string} id */
export const retireBot = (id) => request("DELETE /bots/{id}", { id });

export const listTokens = () => request("GET /tokens").then(({ tokens }) => tokens);
/** @param {NewToken} token */
export const createToken = (token) => request("POST /tokens", {}, token);
/** @param {string} id */
export const revokeToken = (id) => request("DELETE /tokens/{id}", { id });

/** @param {NewRace} race */
export const openRace = (race) => request("POST /races", {}, race);
export const listRaces = () => request("GET /races").then(({ races }) => races);
/** @param {string} id */
export const readRace = (id) => request("GET /races/{id}", { id });
/** @param {string} id @param {string} nonce @param {string} [token] */
export const joinRace = (id, nonce, token) => request("POST /races/{id}/join", { id }, { nonce, token });
/** @param {string} id */
export const leaveRace = (id) => request("POST /races/{id}/leave", { id });
/** @param {string} id */
export const startRace = (id) => request("POST /races/{id}/start", { id });
/** @param {string} id @param {string} nonce */
export const openRematch = (id, nonce) => request("POST /races/{id}/rematch", { id }, { nonce });
