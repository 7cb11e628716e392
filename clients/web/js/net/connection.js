/**
 * One WebSocket for everything that moves. It comes back by itself, asks for what was missed, and sends commands that were
 * not answered again under the same id, so that none is lost and none counts twice.
 *
 * The driver's ways out of here (opening a socket, timers, chance) are handed in, so that tests need no network.
 *
 * @import { BoardChanged, ClientMessage, DayProgress, Done, Meter, Play, Race, Refused, Resign, ServerMessage, TakeBack } from "wire"
 * @typedef {import("../game/session.js").GameMessage} GameMessage
 * @typedef {Object} GameSubscriber
 * @property {() => number} version of the game as it is known there
 * @property {() => import("wire").Sight|null} [sight] what is seen of it there
 * @property {(message: GameMessage) => void} receive
 * @property {(refusal: Refusal) => void} [refused]
 * @typedef {DayProgress|BoardChanged|Race|Done} TopicMessage
 * @typedef {{kind: "day"|"board"|"race", name: string, listeners: Set<(news: TopicMessage) => void>}} Topic
 * @typedef {Play|TakeBack|Resign} CommandMessage
 * @typedef {Omit<Play, "id">|Omit<TakeBack, "id">|Omit<Resign, "id">} Command
 * @typedef {{message: CommandMessage, settle: (answer: ServerMessage) => void, fail: (refusal: Refusal) => void}} UnansweredCommand
 * @typedef {{set: (run: () => void, delay: number) => unknown, clear: (timer: unknown) => void}} Timers
 */
import { Refusal } from "./api.js";

/** Milliseconds in which to come back the first time: any of them, so that a crowd does not come back all at once. */
const FIRST_DELAY_MILLISECONDS = 1000;
const MAX_DELAY_MILLISECONDS = 15000;
const HEARTBEAT_MILLISECONDS = 20000;
const PONG_TIMEOUT_MILLISECONDS = 8000;

export class Connection {
  #open;
  /** @type {Timers} */
  #timers;
  #random;
  /** @type {WebSocket|null} */
  #socket = null;
  #failures = 0;
  #stopped = true;
  /** @type {unknown} */
  #reconnectTimer = null;
  /** @type {unknown} */
  #heartbeatTimer = null;
  #serial = 0;
  #prefix;
  /** @type {Map<string, UnansweredCommand>} */
  #unanswered = new Map();
  /** @type {Map<string, Set<GameSubscriber>>} */
  #subscribers = new Map();
  /** Days, boards and races that are watched, each by its kind and name. @type {Map<string, Topic>} */
  #topics = new Map();
  /** @type {Set<(open: boolean) => void>} */
  #stateListeners = new Set();
  /** Subscriptions asked for and not yet answered: id to game. @type {Map<string, string>} */
  #pendingSubscriptions = new Map();
  /** Boards asked for and not yet watched: id to topic. @type {Map<string, string>} */
  #pendingBoardWatches = new Map();

  /**
   * @param {{open: () => WebSocket, timers?: Timers, random?: () => number, prefix?: string}} ways
   */
  constructor({ open, timers, random, prefix }) {
    this.#open = open;
    this.#timers = timers ?? { set: (run, delay) => setTimeout(run, delay), clear: (timer) => clearTimeout(Number(timer)) };
    this.#random = random ?? Math.random;
    this.#prefix = prefix ?? Math.floor(Math.random() * 2 ** 48).toString(36);
  }

  /** Whether the socket stands open. */
  get isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** Be told when the connection opens or goes. @param {(open: boolean) => void} listener @returns {() => void} to stop */
  onStateChange(listener) {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  start() {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#connect();
  }

  stop() {
    this.#stopped = true;
    this.#timers.clear(this.#reconnectTimer);
    this.#socket?.close();
  }

  /** Drop the socket and come back at once, as after signing in: the server knows a socket by its cookie. */
  reconnect() {
    if (this.#stopped) return this.start();
    this.#failures = -1;
    this.#handleClose(this.#socket);
  }

  /**
   * Hear everything about a game, from the follower's version on.
   * @param {string} game
   * @param {GameSubscriber} follower
   * @returns {() => void} to stop hearing
   */
  subscribe(game, follower) {
    const known = this.#subscribers.get(game) ?? new Set();
    this.#subscribers.set(game, known.add(follower));
    this.start();
    if (this.isOpen) this.#subscribe(game, follower);
    return () => {
      known.delete(follower);
      if (known.size > 0) return;
      this.#subscribers.delete(game);
      if (this.isOpen) this.#send({ type: "unsubscribe", id: this.#id(), game });
    };
  }

  /** Ask for a fresh view of a game that is followed. @param {string} game */
  requestView(game) {
    if (this.isOpen) this.#subscribe(game);
  }

  /** Hear the meters of a day's challenge. @param {string} day @param {(games: Meter[]) => void} heard */
  watchDay(day, heard) {
    return this.#watchTopic("day", day, (news) => news.type === "day_progress" && heard(news.games));
  }

  /** Hear that a board has changed, or may have until it was watched. @param {string} board @param {() => void} heard */
  watchLeaderboard(board, heard) {
    return this.#watchTopic("board", board, () => heard());
  }

  /** Hear a race, whole at every change. @param {string} race @param {(race: Race) => void} heard */
  watchRace(race, heard) {
    return this.#watchTopic("race", race, (news) => news.type === "race" && heard(news));
  }

  /** @param {Topic["kind"]} kind @param {string} name @param {(news: TopicMessage) => void} heard @returns {() => void} to stop */
  #watchTopic(kind, name, heard) {
    const key = `${kind}/${name}`;
    /** @type {Topic} */
    const topic = this.#topics.get(key) ?? { kind, name, listeners: new Set() };
    this.#topics.set(key, topic);
    topic.listeners.add(heard);
    this.start();
    if (this.isOpen) this.#sendWatch("watch", topic);
    return () => {
      topic.listeners.delete(heard);
      if (topic.listeners.size > 0) return;
      this.#topics.delete(key);
      if (this.isOpen) this.#sendWatch("unwatch", topic);
    };
  }

  /** @param {"watch"|"unwatch"} verb @param {Topic} topic */
  #sendWatch(verb, { kind, name }) {
    const id = this.#id();
    if (kind === "board" && verb === "watch") this.#pendingBoardWatches.set(id, `board/${name}`);
    if (kind === "day") this.#send({ type: `${verb}_day`, id, day: name });
    else if (kind === "board") this.#send({ type: `${verb}_board`, id, board: name });
    else this.#send({ type: `${verb}_race`, id, race: name });
  }

  /**
   * Send a command and wait for its answer, over as many connections as that takes.
   * @param {Command} command without its id
   * @returns {Promise<ServerMessage>} the answering message; a refusal is thrown
   */
  command(command) {
    const message = { ...command, id: this.#id() };
    this.start();
    return new Promise((settle, fail) => {
      this.#unanswered.set(message.id, { message, settle, fail });
      if (this.isOpen) this.#send(message);
    });
  }

  #id() {
    this.#serial += 1;
    return `${this.#prefix}-${this.#serial}`;
  }

  /** @param {ClientMessage} message */
  #send(message) {
    this.#socket?.send(JSON.stringify(message));
  }

  /** @param {string} game @param {GameSubscriber} [follower] from whose version on; without one, a fresh view */
  #subscribe(game, follower) {
    const id = this.#id();
    this.#pendingSubscriptions.set(id, game);
    const since = follower?.version() ?? 0;
    const sight = follower?.sight?.();
    this.#send({ type: "subscribe", id, game, ...(since > 0 ? { since, ...(sight ? { sight } : {}) } : {}) });
  }

  #connect() {
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => this.#handleOpen(socket);
    socket.onmessage = ({ data }) => this.#handleMessage(JSON.parse(data));
    socket.onclose = () => this.#handleClose(socket);
  }

  /** @param {WebSocket} socket */
  #handleOpen(socket) {
    if (socket !== this.#socket) return;
    this.#pendingSubscriptions.clear();
    this.#pendingBoardWatches.clear();
    for (const [game, followers] of this.#subscribers) {
      this.#subscribe(game, [...followers].reduce((least, one) => (one.version() < least.version() ? one : least)));
    }
    for (const topic of this.#topics.values()) this.#sendWatch("watch", topic);
    for (const { message } of this.#unanswered.values()) this.#send(message);
    this.#scheduleHeartbeat();
    this.#stateListeners.forEach((listener) => listener(true));
  }

  /** @param {WebSocket|null} socket */
  #handleClose(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    if (socket) {
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    }
    this.#timers.clear(this.#heartbeatTimer);
    this.#stateListeners.forEach((listener) => listener(false));
    if (this.#stopped) return;
    const ceiling = Math.min(MAX_DELAY_MILLISECONDS, FIRST_DELAY_MILLISECONDS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timers.clear(this.#reconnectTimer);
    this.#reconnectTimer = this.#timers.set(() => this.#connect(), this.#failures === 0 ? 0 : ceiling * this.#random());
  }

  /** A socket may die without a word: ask now and then, and take silence for death. */
  #scheduleHeartbeat() {
    this.#timers.clear(this.#heartbeatTimer);
    this.#heartbeatTimer = this.#timers.set(() => {
      const socket = this.#socket;
      this.#send({ type: "ping", id: this.#id() });
      this.#heartbeatTimer = this.#timers.set(() => this.#handleClose(socket), PONG_TIMEOUT_MILLISECONDS);
    }, HEARTBEAT_MILLISECONDS);
  }

  /** @param {ServerMessage} message */
  #handleMessage(message) {
    this.#failures = 0;
    this.#scheduleHeartbeat();
    const id = answeredBy(message);
    const answered = this.#unanswered.get(id);
    if (answered && message.type === "refused" && message.code === "unavailable") {
      this.#timers.set(() => this.#resend(id), (message.retry_after ?? 1) * 1000);
      return;
    }
    this.#unanswered.delete(id);
    if ("game" in message) {
      const game = message.type === "view" ? message.game.id : message.game;
      this.#subscribers.get(game)?.forEach((follower) => follower.receive(message));
    }
    if (message.type === "day_progress") this.#notifyTopic(`day/${message.day}`, message);
    if (message.type === "board_changed") this.#notifyTopic(`board/${message.board}`, message);
    if (message.type === "race") this.#notifyTopic(`race/${message.race}`, message);
    if (message.type === "done") this.#notifyTopic(this.#pendingBoardWatches.get(id) ?? "", message);
    this.#pendingBoardWatches.delete(id);
    if (message.type === "refused") this.#handleRefusal(message, answered);
    else answered?.settle(message);
    this.#pendingSubscriptions.delete(id);
  }

  /** @param {string} topic @param {TopicMessage} news */
  #notifyTopic(topic, news) {
    this.#topics.get(topic)?.listeners.forEach((heard) => heard(news));
  }

  /** The server could not say whether a command was written: it is sent again under the same id. @param {string} id */
  #resend(id) {
    const waiting = this.#unanswered.get(id);
    if (waiting && this.isOpen) this.#send(waiting.message);
  }

  /** @param {Refused} message @param {UnansweredCommand|undefined} answered */
  #handleRefusal(message, answered) {
    const refusal = new Refusal(message);
    answered?.fail(refusal);
    const game = this.#pendingSubscriptions.get(message.id ?? "");
    if (game !== undefined) this.#subscribers.get(game)?.forEach((follower) => follower.refused?.(refusal));
  }
}

/** The id of what a message answers; empty where nobody asked. @param {ServerMessage} message */
function answeredBy(message) {
  return ("command" in message && message.command) || ("id" in message && message.id) || "";
}

/** A connection to the server this page came from. */
export function connectHere() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new Connection({ open: () => new WebSocket(`${scheme}//${location.host}/ws/v1`) });
}
