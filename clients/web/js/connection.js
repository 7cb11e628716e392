/**
 * One WebSocket for everything that moves. It comes back by itself, asks for what was missed, and sends commands that were
 * not answered again under the same id, so that none is lost and none counts twice.
 *
 * The driver's ways out of here (opening a socket, timers, chance) are handed in, so that tests need no network.
 *
 * @typedef {{version: () => number, receive: (message: object) => void, refused?: (refusal: Refusal) => void}} Follower
 * @typedef {{kind: "day"|"board"|"race", name: string, listeners: Set<(message: object) => void>}} Topic
 */
import { Refusal } from "./api.js";

const FIRST_DELAY = 400;
const LONGEST_DELAY = 15000;
const HEARTBEAT = 20000;
const PATIENCE = 8000;

/** Which kind of topic a message belongs to; its key of that name says which one. */
const TOPICS = { day_progress: "day", board_changed: "board", race: "race" };

export class Connection {
  #open;
  #timers;
  #random;
  #socket = null;
  #failures = 0;
  #stopped = true;
  #timer = null;
  #heart = null;
  #serial = 0;
  #prefix;
  /** @type {Map<string, {message: object, settle: Function, fail: Function}>} */
  #unanswered = new Map();
  /** @type {Map<string, Set<Follower>>} */
  #followers = new Map();
  /** Days, boards and races that are watched, each by its kind and name. @type {Map<string, Topic>} */
  #topics = new Map();
  #listeners = new Set();
  /** Subscriptions asked for and not yet answered: id to game. @type {Map<string, string>} */
  #asked = new Map();

  /**
   * @param {{open: () => WebSocket, timers?: {set: Function, clear: Function}, random?: () => number, prefix?: string}} ways
   */
  constructor({ open, timers, random, prefix }) {
    this.#open = open;
    this.#timers = timers ?? { set: (run, delay) => setTimeout(run, delay), clear: (timer) => clearTimeout(timer) };
    this.#random = random ?? Math.random;
    this.#prefix = prefix ?? Math.floor(Math.random() * 2 ** 48).toString(36);
  }

  /** Whether the socket stands open. */
  get isOpen() {
    return this.#socket?.readyState === 1;
  }

  /** Be told when the connection opens or goes. @param {(open: boolean) => void} listener @returns {() => void} to stop */
  watch(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start() {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#connect();
  }

  stop() {
    this.#stopped = true;
    this.#timers.clear(this.#timer);
    this.#socket?.close();
  }

  /** Drop the socket and come back at once, as after signing in: the server knows a socket by its cookie. */
  renew() {
    if (this.#stopped) return this.start();
    this.#failures = -1;
    this.#lost(this.#socket);
  }

  /**
   * Hear everything about a game, from the follower's version on.
   * @param {string} game
   * @param {Follower} follower
   * @returns {() => void} to stop hearing
   */
  follow(game, follower) {
    const known = this.#followers.get(game) ?? new Set();
    this.#followers.set(game, known.add(follower));
    this.start();
    if (this.isOpen) this.#subscribe(game, follower.version());
    return () => {
      known.delete(follower);
      if (known.size > 0) return;
      this.#followers.delete(game);
      if (this.isOpen) this.#send({ type: "unsubscribe", id: this.#id(), game });
    };
  }

  /** Ask for a fresh view of a game that is followed. @param {string} game */
  refresh(game) {
    if (this.isOpen) this.#subscribe(game, 0);
  }

  /** Hear the meters of a day's challenge. @param {string} day @param {(games: object[]) => void} heard */
  followDay(day, heard) {
    return this.#watch("day", day, ({ games }) => heard(games));
  }

  /** Hear that a board has changed. @param {string} board @param {(change: object) => void} heard */
  followBoard(board, heard) {
    return this.#watch("board", board, heard);
  }

  /** Hear a race, whole at every change. @param {string} race @param {(race: object) => void} heard */
  followRace(race, heard) {
    return this.#watch("race", race, heard);
  }

  #watch(kind, name, heard) {
    const key = `${kind}/${name}`;
    const topic = this.#topics.get(key) ?? { kind, name, listeners: new Set() };
    this.#topics.set(key, topic);
    topic.listeners.add(heard);
    this.start();
    if (this.isOpen) this.#ask("watch", topic);
    return () => {
      topic.listeners.delete(heard);
      if (topic.listeners.size > 0) return;
      this.#topics.delete(key);
      if (this.isOpen) this.#ask("unwatch", topic);
    };
  }

  #ask(verb, { kind, name }) {
    this.#send({ type: `${verb}_${kind}`, id: this.#id(), [kind]: name });
  }

  /**
   * Send a command and wait for its answer, over as many connections as that takes.
   * @param {{type: string}} command without its id
   * @returns {Promise<object>} the answering message; a refusal is thrown
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

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #subscribe(game, since) {
    const id = this.#id();
    this.#asked.set(id, game);
    this.#send({ type: "subscribe", id, game, ...(since > 0 ? { since } : {}) });
  }

  #connect() {
    const socket = this.#open();
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = () => this.#lost(socket);
  }

  #opened(socket) {
    if (socket !== this.#socket) return;
    this.#failures = 0;
    this.#asked.clear();
    for (const [game, followers] of this.#followers) {
      this.#subscribe(game, Math.min(...[...followers].map((follower) => follower.version())));
    }
    for (const topic of this.#topics.values()) this.#ask("watch", topic);
    for (const { message } of this.#unanswered.values()) this.#send(message);
    this.#beat();
    this.#listeners.forEach((listener) => listener(true));
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    if (socket) {
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    }
    this.#timers.clear(this.#heart);
    this.#listeners.forEach((listener) => listener(false));
    if (this.#stopped) return;
    const ceiling = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#failures);
    this.#failures += 1;
    this.#timers.clear(this.#timer);
    this.#timer = this.#timers.set(() => this.#connect(), this.#failures === 0 ? 0 : ceiling * (0.5 + this.#random() / 2));
  }

  /** A socket may die without a word: ask now and then, and take silence for death. */
  #beat() {
    this.#timers.clear(this.#heart);
    this.#heart = this.#timers.set(() => {
      const socket = this.#socket;
      this.#send({ type: "ping", id: this.#id() });
      this.#heart = this.#timers.set(() => this.#lost(socket), PATIENCE);
    }, HEARTBEAT);
  }

  #receive(message) {
    this.#beat();
    const answered = this.#unanswered.get(message.command ?? message.id);
    if (answered) this.#unanswered.delete(message.command ?? message.id);
    const game = typeof message.game === "string" ? message.game : message.game?.id;
    this.#followers.get(game)?.forEach((follower) => follower.receive(message));
    const kind = TOPICS[message.type];
    if (kind) this.#topics.get(`${kind}/${message[kind]}`)?.listeners.forEach((heard) => heard(message));
    if (message.type === "refused") this.#refused(message, answered);
    else answered?.settle(message);
    this.#asked.delete(message.id);
  }

  #refused(message, answered) {
    const refusal = new Refusal(message);
    answered?.fail(refusal);
    const game = this.#asked.get(message.id);
    this.#followers.get(game)?.forEach((follower) => follower.refused?.(refusal));
  }
}

/** A connection to the server this page came from. */
export function connectHere() {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return new Connection({ open: () => new WebSocket(`${scheme}//${location.host}/ws/v1`) });
}
