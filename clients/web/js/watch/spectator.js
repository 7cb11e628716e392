/**
 * A game that somebody watches: live, or step by step through its past while it goes on. It keeps what is known of the game and
 * draws it. The past is requested when it is first looked at.
 *
 * @import { Replay } from "wire"
 * @import { Piles } from "../game/effects.js"
 * @import { Step } from "../game/replay_steps.js"
 * @import { GameMessage } from "../game/session.js"
 * @typedef {Object} SpectatorView
 * @property {import("../game/session.js").Session} session the state of the game now, whatever step is shown
 * @property {import("../game/replay_steps.js").Step|null} step the step that is shown; null for now
 * @property {number} at the number of this step
 * @property {number} last the number of the last step
 * @property {string[]} names of spectators, as far as they are known
 * @property {{before: Piles, effects: string[]}|null} played the move that has just been played
 */
import { appendMessage, replaySteps } from "../game/replay_steps.js";
import { UNKNOWN_SESSION, applyMessage } from "../game/session.js";
import { readReplay } from "../net/api.js";

export class Spectator {
  session = UNKNOWN_SESSION;
  /** @type {string[]} */
  #names = [];
  /** All steps so far; null until they have been requested. @type {import("../game/replay_steps.js").Step[]|null} */
  #steps = null;
  /** The number of the step that is shown; null for live. @type {number|null} */
  #at = null;
  /** The messages that arrived while the past was loading. @type {GameMessage[]|null} */
  #messagesDuringLoad = null;
  #closed = false;
  #stop;

  /**
   * @param {Object} parts
   * @param {import("../net/connection.js").Connection} parts.connection
   * @param {string} parts.game its id
   * @param {() => import("./board_viewer.js").BoardViewer} parts.board makes the board as soon as it may be seen
   * @param {(seen: SpectatorView) => void} parts.changed
   * @param {(refusal: unknown) => void} parts.failed
   * @param {(game: string) => Promise<Replay>} [parts.read] requests the past
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

  /** Go this many steps on, or below zero back. After the last step the game is shown live. @param {number} by */
  async stepBy(by) {
    const steps = await this.#loadSteps();
    if (steps) this.#showStep((this.#at ?? steps.length - 1) + by, steps);
  }

  /** Go to a step. @param {number} index */
  async goTo(index) {
    const steps = await this.#loadSteps();
    if (steps) this.#showStep(index, steps);
  }

  /** Show the game live. */
  goLive() {
    this.#at = null;
    this.#draw();
  }

  /** @param {number} wanted @param {Step[]} steps */
  #showStep(wanted, steps) {
    this.#at = wanted >= steps.length - 1 ? null : Math.max(0, wanted);
    this.#draw();
  }

  /**
   * Load all steps so far. Null if they could not be loaded.
   * @returns {Promise<Step[]|null>} all steps, or null
   */
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
    this.#draw(before && message.type === "move_played" && message.effects ? { before, effects: message.effects } : null);
  }

  /**
   * After a whole view steps may be missing. Then they are loaded again: now if the past is shown, else when it is next needed.
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

  /** @param {{before: Piles, effects: string[]}|null} [played] the move that leads there, if it has just been played */
  #draw(played = null) {
    if (this.#closed) return;
    const step = this.#step;
    const piles = step?.session.piles ?? this.session.piles;
    if (piles) {
      this.board ??= this.makeBoard();
      this.board.show(piles, played);
    }
    const last = this.#steps ? this.#steps.length - 1 : this.session.played;
    this.changed({ session: this.session, step, at: this.#at ?? last, last, names: this.#names, played });
  }
}
