/**
 * One WebSocket for everything live. It reconnects by itself, requests missed messages, and sends unanswered commands again
 * with the same id, so that no command is lost and none counts twice.
 *
 * The ways to the outside (opening a socket, timers, random numbers) are parameters, so that tests need no network.
 *
 * @import { Analysis, AnalysisChanged, AskForHint, AskIfWinnable, BoardChanged, ClientMessage, DayProgress, Done, Meter } from "wire"
 * @import { Play, Race, Refused, Resign, ServerMessage, SignsChanged, TakeBack, Talk, Winnability } from "wire"
 * @typedef {import("../game/session.js").GameMessage} GameMessage
 * @typedef {Object} GameSubscriber
 * @property {() => number} version the last version that the subscriber has
 * @property {() => import("wire").Sight|null} [sight] what the subscriber may see of the game
 * @property {(message: GameMessage) => void} receive
 * @property {(refusal: Refusal) => void} [refused]
 * @typedef {DayProgress|BoardChanged|Race|AnalysisChanged|Talk|Done} TopicMessage
 * @typedef {{kind: "day"|"board"|"race"|"analysis"|"talk", name: string, listeners: Set<(message: TopicMessage) => void>}} Topic
 * @typedef {Play|TakeBack|Resign|AskForHint|AskIfWinnable} CommandMessage
 * @typedef {Omit<Play, "id">|Omit<TakeBack, "id">|Omit<Resign, "id">|Omit<AskForHint, "id">|Omit<AskIfWinnable, "id">} Command
 * @typedef {{message: CommandMessage, settle: (answer: ServerMessage) => void, fail: (refusal: Refusal) => void}} UnansweredCommand
 * @typedef {import("./liveness.js").Timers} Timers
 * @typedef {((event: any) => void)|null} SocketListener
 * @typedef {Object} Socket what is used of a WebSocket, of which there are several outside browsers
 * @property {number} readyState
 * @property {(text: string) => void} send
 * @property {() => void} close
 * @property {SocketListener} onopen
 * @property {SocketListener} onmessage
 * @property {SocketListener} onclose
 * @property {SocketListener} onerror
 */
import { Refusal } from "./api.js";
import { Liveness } from "./liveness.js";

/** The first reconnection comes at a random moment within this time, so that many clients do not reconnect all at once. */
const FIRST_DELAY_MILLISECONDS = 1000;
const MAX_DELAY_MILLISECONDS = 15000;

export class Connection {
  #open;
  /** @type {Timers} */
  #timers;
  #random;
  /** @type {Socket|null} */
  #socket = null;
  #failures = 0;
  #stopped = true;
  /** @type {unknown} */
  #reconnectTimer = null;
  #liveness;
  #serial = 0;
  #prefix;
  /** @type {Map<string, UnansweredCommand>} */
  #unanswered = new Map();
  /** @type {Map<string, Set<GameSubscriber>>} */
  #subscribers = new Map();
  /** Who waits for verdicts on the positions of a game, by game. @type {Map<string, (message: Winnability) => void>} */
  #verdictListeners = new Map();
  /** Who is shown the signs at a game or a race, by what they are about. @type {Map<string, (message: SignsChanged) => void>} */
  #signListeners = new Map();
  /** The days, leaderboards, races, analyses and groups that are watched, by kind and name. @type {Map<string, Topic>} */
  #topics = new Map();
  /** @type {Set<(open: boolean) => void>} */
  #stateListeners = new Set();
  /** @type {Set<(isLate: boolean) => void>} */
  #lateListeners = new Set();
  /** Subscriptions that are not answered yet: id to game. @type {Map<string, string>} */
  #pendingSubscriptions = new Map();
  /** Leaderboards requested and not watched yet: id to topic. @type {Map<string, string>} */
  #pendingBoardWatches = new Map();

  /**
   * @param {{open: () => Socket, timers?: Timers, random?: () => number, prefix?: string}} ways
   */
  constructor({ open, timers, random, prefix }) {
    this.#open = open;
    this.#timers = timers ?? { set: (run, delay) => setTimeout(run, delay), clear: (timer) => clearTimeout(Number(timer)) };
    this.#liveness = new Liveness({
      timers: this.#timers, ping: () => this.#send({ type: "ping", id: this.#id() }), lost: () => this.#handleClose(this.#socket),
      late: (isLate) => this.#lateListeners.forEach((listener) => listener(isLate)),
    });
    this.#random = random ?? Math.random;
    this.#prefix = prefix ?? Math.floor(Math.random() * 2 ** 48).toString(36);
  }

  /** Whether the socket is open. */
  get isOpen() {
    return this.#socket?.readyState === 1;
  }

  /**
   * Call a listener when the connection opens or closes. The answer stops it.
   * @param {(open: boolean) => void} listener
   * @returns {() => void} to stop
   */
  onStateChange(listener) {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /**
   * Call a listener when the answer to a command becomes late, and when this is over. The answer stops it.
   * @param {(isLate: boolean) => void} listener
   * @returns {() => void} to stop
   */
  onLateAnswer(listener) {
    this.#lateListeners.add(listener);
    return () => this.#lateListeners.delete(listener);
  }

  start() {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#connect();
  }

  stop() {
    this.#stopped = true;
    this.#timers.clear(this.#reconnectTimer);
    this.#liveness.stop();
    this.#socket?.close();
  }

  /** Test the connection, or open one at once: the network is back, or the device was asleep. */
  check() {
    if (this.isOpen) this.#liveness.test();
    else if (!this.#stopped) this.reconnect();
  }

  /** Take the connection for closed, because the device has lost its network, and try to reconnect. */
  lose() {
    if (this.#socket) this.#handleClose(this.#socket);
  }

  /** Close the socket and reconnect at once. Needed after signing in, because the server knows a socket by its cookie. */
  reconnect() {
    if (this.#stopped) return this.start();
    this.#failures = -1;
    this.#handleClose(this.#socket);
  }

  /**
   * Receive every message about a game, from the subscriber's version on.
   * @param {string} game
   * @param {GameSubscriber} subscriber
   * @returns {() => void} ends the subscription
   */
  subscribe(game, subscriber) {
    const known = this.#subscribers.get(game) ?? new Set();
    this.#subscribers.set(game, known.add(subscriber));
    this.start();
    if (this.isOpen) this.#subscribe(game, subscriber);
    return () => {
      known.delete(subscriber);
      if (known.size > 0) return;
      this.#subscribers.delete(game);
      if (this.isOpen) this.#send({ type: "unsubscribe", id: this.#id(), game });
    };
  }

  /** Request a fresh view of a game that has subscribers. @param {string} game */
  requestView(game) {
    if (this.isOpen) this.#subscribe(game);
  }

  /** Receive the meters of a day's challenge, and the rest of its messages. @param {string} day @param {(games: Meter[], message: DayProgress) => void} listener */
  watchDay(day, listener) {
    return this.#watchTopic("day", day, (message) => message.type === "day_progress" && listener(message.games, message));
  }

  /**
   * Learn that a leaderboard has changed, or may have changed before it was watched.
   * @param {string} board
   * @param {() => void} listener
   */
  watchLeaderboard(board, listener) {
    return this.#watchTopic("board", board, () => listener());
  }

  /** Receive a race, with its whole state at every change. @param {string} race @param {(race: Race) => void} listener */
  watchRace(race, listener) {
    return this.#watchTopic("race", race, (message) => message.type === "race" && listener(message));
  }

  /** Receive the analysis of a game, as it is and whenever it has come further. @param {string} game @param {(analysis: Analysis) => void} listener */
  watchAnalysis(game, listener) {
    return this.#watchTopic("analysis", game, (message) => message.type === "analysis_changed" && listener(message.analysis));
  }

  /** Receive what the members of a group write: the latest of it, then whatever changes. @param {string} group @param {(talk: Talk) => void} listener */
  watchTalk(group, listener) {
    return this.#watchTopic("talk", group, (message) => message.type === "talk" && listener(message));
  }

  /**
   * Receive the signs at a game or a race that is subscribed to.
   * @param {string} about `game/` or `race/`, and the id
   * @param {(message: SignsChanged) => void} listener
   * @returns {() => void} to stop
   */
  onSigns(about, listener) {
    this.#signListeners.set(about, listener);
    return () => this.#signListeners.delete(about);
  }

  /**
   * Receive the verdicts on positions of a game that were asked for and are found later.
   * @param {string} game
   * @param {(message: Winnability) => void} listener
   * @returns {() => void} to stop
   */
  onVerdict(game, listener) {
    this.#verdictListeners.set(game, listener);
    return () => this.#verdictListeners.delete(game);
  }

  /** @param {Topic["kind"]} kind @param {string} name @param {(message: TopicMessage) => void} listener @returns {() => void} to stop */
  #watchTopic(kind, name, listener) {
    const key = `${kind}/${name}`;
    /** @type {Topic} */
    const topic = this.#topics.get(key) ?? { kind, name, listeners: new Set() };
    this.#topics.set(key, topic);
    topic.listeners.add(listener);
    this.start();
    if (this.isOpen) this.#sendWatch("watch", topic);
    return () => {
      topic.listeners.delete(listener);
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
    else if (kind === "analysis") this.#send({ type: `${verb}_analysis`, id, game: name });
    else if (kind === "talk") this.#send({ type: `${verb}_talk`, id, group: name });
    else this.#send({ type: `${verb}_race`, id, race: name });
  }

  /**
   * Send a command and wait for its answer, over as many connections as needed.
   * @param {Command} command without its id
   * @returns {Promise<ServerMessage>} the answer; a refusal is thrown
   */
  command(command) {
    const message = { ...command, id: this.#id() };
    this.start();
    return new Promise((settle, fail) => {
      this.#unanswered.set(message.id, { message, settle, fail });
      if (!this.isOpen) return;
      this.#send(message);
      if (this.#unanswered.size === 1) this.#liveness.expectAnswer(true);
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

  /**
   * Subscribe to a game: from the subscriber's version on, or without a subscriber from a fresh view.
   * @param {string} game
   * @param {GameSubscriber} [subscriber] without one, a fresh view is requested
   */
  #subscribe(game, subscriber) {
    const id = this.#id();
    this.#pendingSubscriptions.set(id, game);
    const since = subscriber?.version() ?? 0;
    const sight = subscriber?.sight?.();
    this.#send({ type: "subscribe", id, game, ...(since > 0 ? { since, ...(sight ? { sight } : {}) } : {}) });
  }

  #connect() {
    const socket = this.#open();
    this.#socket = socket;
    this.#liveness.expectHandshake();
    socket.onopen = () => this.#handleOpen(socket);
    socket.onmessage = ({ data }) => this.#handleMessage(JSON.parse(data));
    socket.onclose = () => this.#handleClose(socket);
    socket.onerror = () => {}; // the close says it too; but the sockets of `ws` throw errors that nobody listens to
  }

  /** @param {Socket} socket */
  #handleOpen(socket) {
    if (socket !== this.#socket) return;
    this.#pendingSubscriptions.clear();
    this.#pendingBoardWatches.clear();
    for (const [game, followers] of this.#subscribers) {
      this.#subscribe(game, [...followers].reduce((least, one) => (one.version() < least.version() ? one : least)));
    }
    for (const topic of this.#topics.values()) this.#sendWatch("watch", topic);
    for (const { message } of this.#unanswered.values()) this.#send(message);
    this.#liveness.expectAnswer(this.#unanswered.size > 0);
    this.#liveness.heard();
    this.#stateListeners.forEach((listener) => listener(true));
  }

  /** @param {Socket|null} socket */
  #handleClose(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    if (socket) {
      socket.onopen = null;
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    }
    this.#liveness.stop();
    this.#stateListeners.forEach((listener) => listener(false));
    if (this.#stopped) return;
    const ceiling = Math.min(MAX_DELAY_MILLISECONDS, FIRST_DELAY_MILLISECONDS * 2 ** this.#failures);
    this.#failures += 1;
    this.#timers.clear(this.#reconnectTimer);
    this.#reconnectTimer = this.#timers.set(() => this.#connect(), this.#failures === 0 ? 0 : ceiling * this.#random());
  }

  /** @param {ServerMessage} message */
  #handleMessage(message) {
    this.#failures = 0;
    this.#liveness.heard();
    const id = answeredBy(message);
    const command = this.#unanswered.get(id);
    if (command && message.type === "refused" && message.code === "unavailable") {
      this.#timers.set(() => this.#resend(id), (message.retry_after ?? 1) * 1000);
      return;
    }
    if (this.#unanswered.delete(id)) this.#liveness.expectAnswer(this.#unanswered.size > 0);
    if (message.type === "winnability") {
      if (!command) this.#verdictListeners.get(message.game)?.(message);
    } else if ("game" in message && message.type !== "hint") {
      const game = message.type === "view" ? message.game.id : message.game;
      this.#subscribers.get(game)?.forEach((subscriber) => subscriber.receive(message));
    }
    if (message.type === "day_progress") this.#notifyTopic(`day/${message.day}`, message);
    if (message.type === "board_changed") this.#notifyTopic(`board/${message.board}`, message);
    if (message.type === "race") this.#notifyTopic(`race/${message.race}`, message);
    if (message.type === "analysis_changed") this.#notifyTopic(`analysis/${message.analysis.game}`, message);
    if (message.type === "signs_changed") this.#signListeners.get(message.about)?.(message);
    if (message.type === "talk") this.#notifyTopic(`talk/${message.group}`, message);
    if (message.type === "done") this.#notifyTopic(this.#pendingBoardWatches.get(id) ?? "", message);
    this.#pendingBoardWatches.delete(id);
    if (message.type === "refused") this.#handleRefusal(message, command);
    else command?.settle(message);
    this.#pendingSubscriptions.delete(id);
  }

  /** @param {string} topic @param {TopicMessage} message */
  #notifyTopic(topic, message) {
    this.#topics.get(topic)?.listeners.forEach((listener) => listener(message));
  }

  /** Send a command again with the same id, because the server could not say whether it was written. @param {string} id */
  #resend(id) {
    const waiting = this.#unanswered.get(id);
    if (waiting && this.isOpen) this.#send(waiting.message);
  }

  /** @param {Refused} message @param {UnansweredCommand|undefined} command */
  #handleRefusal(message, command) {
    const refusal = new Refusal(message);
    command?.fail(refusal);
    const game = this.#pendingSubscriptions.get(message.id ?? "");
    if (game !== undefined) this.#subscribers.get(game)?.forEach((subscriber) => subscriber.refused?.(refusal));
  }
}

/**
 * The id of the command or request that a message answers; empty for messages that answer nothing.
 * @param {ServerMessage} message
 */
function answeredBy(message) {
  return ("command" in message && message.command) || ("id" in message && message.id) || "";
}

/** A connection to the server that this page came from. */
export function connectHere() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new Connection({ open: () => new WebSocket(`${scheme}//${location.host}/ws/v1`) });
}
