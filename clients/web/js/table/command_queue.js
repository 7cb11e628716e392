/**
 * The player's commands, sent one at a time. Each waits for the answer to the one before, so that every command names the
 * version it was meant for. A refusal also drops the commands after the refused one.
 *
 * @typedef {import("../game/prediction.js").QueuedCommand} QueuedCommand
 * @typedef {import("../net/api.js").Refusal} Refusal
 */

/** At most so many commands wait while the server does not answer. */
const MAX_QUEUED = 16;

export class CommandQueue {
  /** @type {QueuedCommand[]} */
  #list = [];
  /** Whether the first command is sent. */
  #isFirstSent = false;
  /** Whether the effects of the first command are in the session already. */
  #isFirstApplied = false;
  #closed = false;

  /**
   * @param {Object} ways
   * @param {(command: QueuedCommand) => Promise<unknown>} ways.send
   * @param {() => boolean} ways.open whether anything may be played at all
   * @param {() => void} ways.changed
   * @param {(refusal: Refusal, command: QueuedCommand) => void} ways.refused
   * @param {(run: () => void, delay: number) => void} [ways.later]
   */
  constructor({ send, open, changed, refused, later = setTimeout }) {
    this.send = send;
    this.open = open;
    this.changed = changed;
    this.refused = refused;
    this.later = later;
  }

  /** Whether any command is waiting or sent. */
  get busy() {
    return this.#list.length > 0;
  }

  /** The commands whose effects are not in the session yet, in order. @returns {QueuedCommand[]} */
  get unapplied() {
    return this.#isFirstApplied ? this.#list.slice(1) : this.#list;
  }

  /**
   * Add a command. False if too many are waiting.
   * @param {QueuedCommand} command
   * @returns {boolean} false if too much is waiting already
   */
  add(command) {
    if (this.#list.length >= MAX_QUEUED) return false;
    this.#list.push(command);
    this.changed();
    this.#sendNext();
    return true;
  }

  /** Note that the session has a newer version than the one the first command was sent with: its effects are in it. */
  markFirstApplied() {
    if (this.#isFirstSent) this.#isFirstApplied = true;
  }

  /** Drop the commands that are not sent yet. */
  dropUnsent() {
    this.#list = this.#list.slice(0, this.#isFirstSent ? 1 : 0);
  }

  close() {
    this.#closed = true;
    this.#list = [];
  }

  async #sendNext() {
    if (this.#isFirstSent || this.#closed || this.#list.length === 0) return;
    if (!this.open()) {
      this.#list = [];
      this.changed();
      return;
    }
    const command = this.#list[0];
    this.#isFirstSent = true;
    try {
      await this.send(command);
      this.#removeFirst(1);
    } catch (error) {
      if (this.#closed) return;
      const refusal = /** @type {Refusal} */ (error);
      if (refusal.code === "rate_limited" && refusal.retryAfter) {
        this.#isFirstSent = false;
        this.later(() => this.#sendNext(), refusal.retryAfter * 1000);
        return;
      }
      this.#removeFirst(this.#list.length);
      this.refused(refusal, command);
    }
    this.#sendNext();
  }

  /** @param {number} done how many are done */
  #removeFirst(done) {
    this.#isFirstSent = false;
    this.#isFirstApplied = false;
    this.#list = this.#list.slice(done);
    if (!this.#closed) this.changed();
  }
}
