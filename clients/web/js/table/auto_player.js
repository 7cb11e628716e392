/** Plays the rest of a game automatically, one move after the other, until the player touches anything. */

/** The time between the answer to one move and the next move. */
const PAUSE_MILLISECONDS = 150;
/** After the player has stopped it, it cannot start for this time: the touch that stops it must not start it again. */
const REST_MILLISECONDS = 400;

export class AutoPlayer {
  #timer = 0;
  #resting = false;
  /** @type {AbortController|null} */
  #listening = null;

  /**
   * @param {Object} ways
   * @param {() => string|undefined} ways.next the text of the next move, if there is one
   * @param {() => boolean} ways.busy whether a command is not answered yet: the next move is known only after the answer
   * @param {(text: string) => void} ways.play
   * @param {() => void} ways.changed called when it starts, stops, and may start again
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

  /** Whether it may start. */
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

  /** Play on after the last command has been answered. */
  continueAfterAnswer() {
    if (this.isPlaying) this.#timer = setTimeout(() => this.#playNext(), PAUSE_MILLISECONDS);
  }

  #playNext() {
    const text = this.next();
    if (text) this.play(text);
    else this.stop();
  }
}
