/** Plays what is left by itself, one move after the other, until a hand touches anything. */

/** Between the answer to one move and the next, in milliseconds. */
const PAUSE_MILLISECONDS = 150;
/** The touch that ends it is not to begin it again: for so long it rests. */
const REST_MILLISECONDS = 400;

export class AutoPlayer {
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
  get isPlaying() {
    return this.#listening !== null;
  }

  /** Whether it may begin. */
  get canStart() {
    return !this.isPlaying && !this.#resting;
  }

  start() {
    if (!this.canStart) return;
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    for (const event of ["pointerdown", "keydown"]) addEventListener(event, () => this.stop(), { capture: true, signal });
    this.changed();
    if (!this.busy()) this.#playNext();
  }

  stop() {
    if (!this.isPlaying) return;
    this.close();
    this.#resting = true;
    this.#timer = setTimeout(() => {
      this.#resting = false;
      this.changed();
    }, REST_MILLISECONDS);
    this.changed();
  }

  close() {
    clearTimeout(this.#timer);
    this.#listening?.abort();
    this.#listening = null;
  }

  /** The last move has been answered. */
  continueAfterAnswer() {
    if (this.isPlaying) this.#timer = setTimeout(() => this.#playNext(), PAUSE_MILLISECONDS);
  }

  #playNext() {
    const text = this.next();
    if (text) this.play(text);
    else this.stop();
  }
}
