/** Plays what is left by itself, one move after the other, until a hand touches anything. */

/** Between the answer to one move and the next, in milliseconds. */
const PAUSE = 150;
/** The touch that ends it is not to begin it again: for so long it rests. */
const REST = 400;

export class Finisher {
  #timer = 0;
  #resting = false;
  /** @type {AbortController|null} */
  #listening = null;

  /**
   * @param {Object} ways
   * @param {() => string|undefined} ways.next the text of the next move, if there is one
   * @param {() => boolean} ways.busy whether a move is on its way still: what comes next is known when it is answered
   * @param {(text: string) => void} ways.play
   * @param {() => void} ways.changed told when it begins, ends, and has rested
   */
  constructor({ next, busy, play, changed }) {
    this.next = next;
    this.busy = busy;
    this.play = play;
    this.changed = changed;
  }

  /** Whether it is playing. */
  get on() {
    return this.#listening !== null;
  }

  /** Whether it may begin. */
  get ready() {
    return !this.on && !this.#resting;
  }

  start() {
    if (!this.ready) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => this.stop(), { capture: true, signal });
    this.changed();
    if (!this.busy()) this.#go();
  }

  stop() {
    if (!this.on) return;
    this.close();
    this.#resting = true;
    this.#timer = setTimeout(() => {
      this.#resting = false;
      this.changed();
    }, REST);
    this.changed();
  }

  close() {
    clearTimeout(this.#timer);
    this.#listening?.abort();
    this.#listening = null;
  }

  /** The last move has been answered. */
  answered() {
    if (this.on) this.#timer = setTimeout(() => this.#go(), PAUSE);
  }

  #go() {
    const text = this.next();
    if (text) this.play(text);
    else this.stop();
  }
}
