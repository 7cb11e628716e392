/**
 * What a player asks for, one command at a time: each waits for the answer to the one before, so that every command names
 * the version it was meant for. Whatever the server refuses takes what was wished after it along.
 *
 * @typedef {import("../game/prediction.js").QueuedCommand} Wish
 * @typedef {import("../net/api.js").Refusal} Refusal
 */

/** So many wishes are kept while the server is silent. */
const MAX_QUEUED = 16;

export class CommandQueue {
  /** @type {Wish[]} */
  #list = [];
  /** Whether the first is on its way. */
  #isFirstSent = false;
  /** Whether what the first did has been shown already. */
  #isFirstApplied = false;
  #closed = false;

  /**
   * @param {Object} ways
   * @param {(command: Wish) => Promise<unknown>} ways.send
   * @param {() => boolean} ways.open whether anything may be played at all
   * @param {() => void} ways.changed
   * @param {(refusal: Refusal, command: Wish) => void} ways.refused
   * @param {(run: () => void, delay: number) => void} [ways.later]
   */
  constructor({ send, open, changed, refused, later = setTimeout }) {
    this.send = send;
    this.open = open;
    this.changed = changed;
    this.refused = refused;
    this.later = later;
  }

  /** Whether a command is on its way. */
  get busy() {
    return this.#list.length > 0;
  }

  /** Wishes whose outcome has not been heard yet, in order. @returns {Wish[]} */
  get unapplied() {
    return this.#isFirstApplied ? this.#list.slice(1) : this.#list;
  }

  /** Wish for something. @param {Wish} command @returns {boolean} false if too much is waiting already */
  add(command) {
    if (this.#list.length >= MAX_QUEUED) return false;
    this.#list.push(command);
    this.changed();
    this.#sendNext();
    return true;
  }

  /** The server has told what happened since the first was sent. */
  markFirstApplied() {
    if (this.#isFirstSent) this.#isFirstApplied = true;
  }

  /** Forget what has not been sent. */
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

  /** @param {number} done so many are over */
  #removeFirst(done) {
    this.#isFirstSent = false;
    this.#isFirstApplied = false;
    this.#list = this.#list.slice(done);
    if (!this.#closed) this.changed();
  }
}
