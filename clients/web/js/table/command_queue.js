/**
 * What a player asks for, one command at a time: each waits for the answer to the one before, so that every command names
 * the version it was meant for. Whatever the server refuses takes what was wished after it along.
 *
 * @typedef {import("../game/prediction.js").Wish} Wish
 * @typedef {import("../net/api.js").Refusal} Refusal
 */

/** So many wishes are kept while the server is silent. */
const MOST = 16;

export class Wishes {
  /** @type {Wish[]} */
  #list = [];
  /** Whether the first is on its way. */
  #sent = false;
  /** Whether what the first did has been shown already. */
  #seen = false;
  #closed = false;

  /**
   * @param {Object} ways
   * @param {(wish: Wish) => Promise<unknown>} ways.send
   * @param {() => boolean} ways.open whether anything may be played at all
   * @param {() => void} ways.changed
   * @param {(refusal: Refusal, wish: Wish) => void} ways.refused
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
  get unseen() {
    return this.#seen ? this.#list.slice(1) : this.#list;
  }

  /** Wish for something. @param {Wish} wish @returns {boolean} false if too much is waiting already */
  add(wish) {
    if (this.#list.length >= MOST) return false;
    this.#list.push(wish);
    this.changed();
    this.#next();
    return true;
  }

  /** The server has told what happened since the first was sent. */
  heard() {
    if (this.#sent) this.#seen = true;
  }

  /** Forget what has not been sent. */
  drop() {
    this.#list = this.#list.slice(0, this.#sent ? 1 : 0);
  }

  close() {
    this.#closed = true;
    this.#list = [];
  }

  async #next() {
    if (this.#sent || this.#closed || this.#list.length === 0) return;
    if (!this.open()) {
      this.#list = [];
      this.changed();
      return;
    }
    const wish = this.#list[0];
    this.#sent = true;
    try {
      await this.send(wish);
      this.#settle(1);
    } catch (error) {
      if (this.#closed) return;
      const refusal = /** @type {Refusal} */ (error);
      if (refusal.code === "rate_limited" && refusal.retryAfter) {
        this.#sent = false;
        this.later(() => this.#next(), refusal.retryAfter * 1000);
        return;
      }
      this.#settle(this.#list.length);
      this.refused(refusal, wish);
    }
    this.#next();
  }

  /** @param {number} done so many are over */
  #settle(done) {
    this.#sent = false;
    this.#seen = false;
    this.#list = this.#list.slice(done);
    if (!this.#closed) this.changed();
  }
}
