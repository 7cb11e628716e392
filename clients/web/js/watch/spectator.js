/**
 * A game that is watched: live, or stepped back through while it goes on. It holds what is known of the game and draws it;
 * the past is asked for when it is first looked at.
 *
 * @import { Replay } from "wire"
 * @import { Piles } from "../game/effects.js"
 * @import { Step } from "../game/replay_steps.js"
 * @import { GameMessage } from "../game/session.js"
 * @typedef {Object} Seen
 * @property {import("../game/session.js").Session} session how the game stands now, whatever is looked at
 * @property {import("../game/replay_steps.js").Step|null} step the step that is looked at; null for now
 * @property {number} at its number
 * @property {number} last the number of the last one
 * @property {string[]} names of those who watch, the first that have one
 * @property {GameMessage|null} news the message that was just told
 */
import { readReplay } from "../net/api.js";
import { extend, positions } from "../game/replay_steps.js";
import { receive, UNKNOWN } from "../game/session.js";

export class Screening {
  session = UNKNOWN;
  /** @type {string[]} */
  #names = [];
  /** Everything so far; null while nobody has asked. @type {import("../game/replay_steps.js").Step[]|null} */
  #steps = null;
  /** The step looked at; null for live. @type {number|null} */
  #at = null;
  /** What was told while the past was on its way. @type {GameMessage[]|null} */
  #meanwhile = null;
  #closed = false;
  #stop;

  /**
   * @param {Object} parts
   * @param {import("../net/connection.js").Connection} parts.connection
   * @param {string} parts.game its id
   * @param {() => import("./board_viewer.js").Showing} parts.board makes the table when it may be seen
   * @param {(seen: Seen) => void} parts.changed
   * @param {(refusal: unknown) => void} parts.failed
   * @param {(game: string) => Promise<Replay>} [parts.read] asks for the past
   */
  constructor({ connection, game, board, changed, failed, read = readReplay }) {
    this.connection = connection;
    this.game = game;
    this.makeBoard = board;
    this.changed = changed;
    this.failed = failed;
    this.read = read;
    /** @type {import("./board_viewer.js").Showing|null} */
    this.board = null;
    this.#stop = connection.follow(game, {
      version: () => this.session.version,
      sight: () => this.session.sight,
      receive: (message) => this.#receive(message),
      refused: failed,
    });
  }

  close() {
    this.#closed = true;
    this.#stop();
    this.board?.close();
  }

  get #step() {
    return this.#at === null ? null : this.#steps?.[this.#at] ?? null;
  }

  /** Go so many steps on, or back; past the last one is live. @param {number} by */
  async move(by) {
    const steps = await this.#past();
    if (steps) this.#go((this.#at ?? steps.length - 1) + by, steps);
  }

  /** Go to a step. @param {number} index */
  async goTo(index) {
    const steps = await this.#past();
    if (steps) this.#go(index, steps);
  }

  /** Return to what is happening now. */
  live() {
    this.#at = null;
    this.#draw();
  }

  /** @param {number} wanted @param {Step[]} steps */
  #go(wanted, steps) {
    this.#at = wanted >= steps.length - 1 ? null : Math.max(0, wanted);
    this.#draw();
  }

  /** @returns {Promise<Step[]|null>} everything so far, where it could be had */
  async #past() {
    if (this.#steps !== null) return this.#steps;
    if (this.#meanwhile !== null || !this.session.piles) return null;
    this.#meanwhile = [];
    try {
      const replay = await this.read(this.game);
      this.#steps = this.#meanwhile.reduce(extend, positions(replay));
      return this.#closed ? null : this.#steps;
    } catch (refusal) {
      this.failed(refusal);
      return null;
    } finally {
      this.#meanwhile = null;
    }
  }

  /** @param {GameMessage} message */
  #receive(message) {
    const before = this.session.piles;
    this.session = receive(this.session, message, Date.now());
    if (message.type === "view" || message.type === "presence") this.#names = message.names ?? [];
    if (this.session.lost) this.connection.refresh(this.game);
    this.#meanwhile?.push(message);
    if (message.type === "view") this.#caughtUp(message);
    else if (this.#steps !== null) this.#steps = extend(this.#steps, message);
    this.#draw(message, before && message.type === "move_played" ? { before, effects: message.effects } : null);
  }

  /**
   * After a whole view the past may have a hole: then it is asked for again, when somebody looks at it or while one does.
   * @param {{version: number}} view
   */
  #caughtUp({ version }) {
    if (this.#steps === null || this.#steps[this.#steps.length - 1].session.version === version) return;
    this.#steps = this.#at === null ? null : this.#steps;
    if (this.#at === null) return;
    this.read(this.game).then((replay) => {
      const steps = positions(replay);
      this.#steps = steps;
      this.#go(this.#at ?? steps.length, steps);
    }).catch(this.failed);
  }

  /** @param {GameMessage|null} [news] @param {{before: Piles, effects: string[]}|null} [move] that leads there */
  #draw(news = null, move = null) {
    if (this.#closed) return;
    const step = this.#step;
    const piles = step?.session.piles ?? this.session.piles;
    if (piles) {
      this.board ??= this.makeBoard();
      this.board.show(piles, move);
    }
    const last = this.#steps ? this.#steps.length - 1 : this.session.played;
    this.changed({ session: this.session, step, at: this.#at ?? last, last, names: this.#names, news });
  }
}
