/**
 * What is known of one game, without I/O: a session takes in the server's messages.
 *
 * Every function is pure: it returns a new session and touches neither the socket nor the page. If a message is missing, the
 * session has `lost` set, and the owner of the socket requests a fresh view.
 *
 * @import { GameCard, MovePlayed, MoveTakenBack, PileView, ServerMessage, Sight, Status, View } from "wire"
 * @typedef {import("./moves.js").Move} Move
 * @typedef {Extract<ServerMessage, {game: unknown}>} GameMessage any message about one game
 * @typedef {Object} Session
 * @property {GameCard|null} game the server's card of the game
 * @property {Sight|null} sight
 * @property {number} version of the last known event
 * @property {Record<string, string[]>|null} piles null while the board may not be seen
 * @property {Record<string, number>} counters
 * @property {Move[]} moves the legal moves; only the player's own session has any
 * @property {number} score
 * @property {number} home cards home
 * @property {number} played moves played
 * @property {Status} status
 * @property {boolean} canTakeBack
 * @property {string|null} finish the next of the moves that finish the game by itself; null while something is left to decide
 * @property {boolean} mayAskIfWinnable whether the server answers the question whether the game can still be won
 * @property {number} watchers
 * @property {number} dealtAt when the game was dealt, on this machine's clock, in milliseconds
 * @property {number|null} milliseconds how long the game took; null until it is over
 * @property {number|null} active milliseconds in which the player was active; null until the game is over
 * @property {string|null} secret of the deal, once it is revealed
 * @property {boolean} lost whether a message is missing
 */
import { expandPile } from "./cards.js";
import { parseMove } from "./moves.js";

/** A session before any message. @type {Session} */
export const UNKNOWN_SESSION = Object.freeze({
  game: null, sight: null, version: 0, piles: null, counters: {}, moves: [], score: 0, home: 0, played: 0,
  status: "playing", canTakeBack: false, finish: null, mayAskIfWinnable: false, watchers: 0, dealtAt: 0, milliseconds: null, active: null, secret: null, lost: false,
});

const FINISHED = ["won", "lost", "resigned", "out_of_time"];

/** Whether a game with this status is over. @param {string|undefined} status */
export function isFinished(status) {
  return status !== undefined && FINISHED.includes(status);
}

/** Whether the game of a session is over. @param {Session} session */
export function isOver(session) {
  return session.milliseconds !== null || isFinished(session.status);
}

/** Whether a game is a run of an evening, played then or later. @param {{competition?: string|null}} game */
export function isOfEvening({ competition }) {
  return competition === "evening" || competition === "virtual";
}

/** Whether the game of a session is ranked or part of a race. @param {Session} session */
export function gameCounts({ game }) {
  return Boolean(game?.ranked || game?.race);
}

/**
 * The session after one more message of its game.
 * @param {Session} session
 * @param {GameMessage} message
 * @param {number} now this machine's clock, milliseconds
 * @returns {Session}
 */
export function applyMessage(session, message, now) {
  if (message.type === "view") return sessionOfView(session, message, now);
  if (message.type === "presence") return { ...session, watchers: message.watchers ?? 0 };
  const { version } = message;
  if (session.game === null || version === undefined || version <= session.version) return session;
  if (version > session.version + 1) return { ...session, lost: true };
  switch (message.type) {
    case "move_played":
    case "move_taken_back":
      return afterMove(session, message);
    case "game_finished":
      return {
        ...session, version, status: message.result, score: message.score ?? 0, played: message.moves ?? 0,
        milliseconds: message.milliseconds ?? 0, active: message.active ?? null, moves: [], canTakeBack: false, finish: null,
      };
    case "challenge_spoiled":
      return { ...session, version, game: { ...session.game, ranked: false }, canTakeBack: message.can_take_back ?? false };
    case "deal_revealed":
      return { ...session, version, secret: message.secret };
    default:
      return { ...session, version };
  }
}

/** The session that a whole view describes. @param {Session} session @param {View} view @param {number} now @returns {Session} */
function sessionOfView(session, view, now) {
  const piles = view.piles ? expandPiles(view.piles) : null;
  const over = isFinished(view.status);
  return {
    ...UNKNOWN_SESSION, game: view.game, sight: view.sight, version: view.version ?? 0, piles, counters: view.counters ?? {},
    moves: parseMoves(view.legal, piles), score: view.score ?? 0, home: view.home ?? 0, played: view.moves ?? 0,
    status: view.status ?? "playing", canTakeBack: view.can_take_back ?? false, finish: view.finish ?? null, mayAskIfWinnable: view.may_ask_if_winnable ?? false, watchers: view.watchers ?? 0,
    dealtAt: now - (view.clock ?? 0), milliseconds: over ? view.clock ?? 0 : null, active: view.active ?? null, secret: session.secret,
  };
}

/**
 * The session after a move or a move taken back.
 * @param {Session} session
 * @param {MovePlayed|MoveTakenBack} message
 * @returns {Session}
 */
function afterMove(session, message) {
  const piles = session.piles && { ...session.piles, ...expandPiles(message.piles ?? {}) };
  return {
    ...session, version: message.version, piles, counters: { ...session.counters, ...message.counters },
    moves: parseMoves(message.legal, piles), score: message.score ?? 0, home: message.home ?? 0,
    played: message.moves ?? 0, status: message.status ?? "playing",
    canTakeBack: message.can_take_back ?? false, finish: message.finish ?? null,
  };
}

/** Every pile with one entry for each card. @param {Record<string, PileView>} piles */
function expandPiles(piles) {
  return Object.fromEntries(Object.entries(piles).map(([name, cards]) => [name, expandPile(cards)]));
}

/** The legal moves of a message, parsed. @param {string[]|undefined} legal @param {Record<string, string[]>|null} piles */
function parseMoves(legal, piles) {
  return (legal ?? []).map((text) => parseMove(text, (name) => piles !== null && name in piles));
}

/** Milliseconds on the game's clock. @param {Session} session @param {number} now */
export function elapsedMilliseconds(session, now) {
  return session.milliseconds ?? Math.max(0, now - session.dealtAt);
}
