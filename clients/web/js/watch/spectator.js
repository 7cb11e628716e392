/**
 * A game that is watched: live, or stepped back through while it goes on. It holds what is known of the game and draws it;
 * the past is asked for when it is first looked at.
 *
 * @import { Replay } from "wire"
 * @import { Piles } from "../game/effects.js"
 * @import { Step } from "../game/replay_steps.js"
 * @import { GameMessage } from "../game/session.js"
 * @typedef {Object} SpectatorView
 * @property {import("../game/session.js").Session} session how the game stands now, whatever is looked at
 * @property {import("../game/replay_steps.js").Step|null} step the step that is looked at; null for now
 * @property {number} at its number
 * @property {number} last the number of the last one
 * @property {string[]} names of those who watch, the first that have one
 * @property {GameMessage|null} news the message that was just told
 */
import { appendMessage, replaySteps } from "../game/replay_steps.js";
import { UNKNOWN_SESSION, applyMessage } from "../game/session.js";
import { readReplay } from "../net/api.js";

export class Spectator {
  session = UNKNOWN_SESSION;
  /** @type {string[]} */
  #names = [];
  /** Everything so far; null while nobody has asked. @type {import("../game/replay_steps.js").Step[]|null} */
  #steps = null;
  /** The step looked at; null for live. @type {number|null} */
  #at = null;
  /** What was told while the past was on its way. @type {GameMessage[]|null} */
  #messagesDuringLoad = null;
  #closed = false;
  #stop;

  /**
   * @param {Object} parts
   * @param {import("../net/connection.js").Connection} parts.connection
   * @param {string} parts.game its id
   * @param {() => import("./board_viewer.js").BoardViewer} parts.board makes the table when it may be seen
   * @param {(seen: SpectatorView) => void} parts.changed
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
    /** @type {import("./board_viewer.js").BoardViewer|null} */
    this.board = null;
    this.#stop = connection.subscribe(game, {
      version: () => this.session.version,
      sight: () => this.session.sight,
      receive: (message) => this.#handleMessage(message),
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
  async stepBy(by) {
    const steps = await this.#loadSteps();
    if (steps) this.#showStep((this.#at ?? steps.length - 1) + by, steps);
  }

  /** Go to a step. @param {number} index */
  async goTo(index) {
    const steps = await this.#loadSteps();
    if (steps) this.#showStep(index, steps);
  }

  /** Return to what is happening now. */
  goLive() {
    this.#at = null;
    this.#draw();
  }

  /** @param {number} wanted @param {Step[]} steps */
  #showStep(wanted, steps) {
    this.#at = wanted >= steps.length - 1 ? null : Math.max(0, wanted);
    this.#draw();
  }

  /** @returns {Promise<Step[]|null>} everything so far, where it could be had */
  async #loadSteps() {
    if (this.#steps !== null) return this.#steps;
    if (this.#messagesDuringLoad !== null || !this.session.piles) return null;
    this.#messagesDuringLoad = [];
    try {
      const replay = await this.read(this.game);
      this.#steps = this.#messagesDuringLoad.reduce(appendMessage, replaySteps(replay));
      return this.#closed ? null : this.#steps;
    } catch (refusal) {
      this.failed(refusal);
      return null;
    } finally {
      this.#messagesDuringLoad = null;
    }
  }

  /** @param {GameMessage} message */
  #handleMessage(message) {
    const before = this.session.piles;
    this.session = applyMessage(this.session, message, Date.now());
    if (message.type === "view" || message.type === "presence") this.#names = message.names ?? [];
    if (this.session.lost) this.connection.requestView(this.game);
    this.#messagesDuringLoad?.push(message);
    if (message.type === "view") this.#reloadStepsIfGap(message);
    else if (this.#steps !== null) this.#steps = appendMessage(this.#steps, message);
    this.#draw(message, before && message.type === "move_played" ? { before, effects: message.effects } : null);
  }

  /**
   * After a whole view the past may have a hole: then it is asked for again, when somebody looks at it or while one does.
   * @param {{version: number}} view
   */
  #reloadStepsIfGap({ version }) {
    if (this.#steps === null || this.#steps[this.#steps.length - 1].session.version === version) return;
    this.#steps = this.#at === null ? null : this.#steps;
    if (this.#at === null) return;
    this.read(this.game).then((replay) => {
      const steps = replaySteps(replay);
      this.#steps = steps;
      this.#showStep(this.#at ?? steps.length, steps);
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
