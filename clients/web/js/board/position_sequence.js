/**
 * Shows several positions one soon after the other. Anything else that is drawn ends the sequence, so that the player never
 * waits.
 *
 * @typedef {import("../game/effects.js").IntermediatePosition} IntermediatePosition
 * @typedef {import("../game/effects.js").Piles} Piles
 */

/** The longest time for one sequence. */
const MAX_SEQUENCE_MILLISECONDS = 900;
/** The time between two positions, if there are few. */
const STEP_MILLISECONDS = 110;
/** The time for cards to come together before they are laid out again. */
const GATHER_MILLISECONDS = 360;

export class PositionSequence {
  #timer = 0;
  #running = false;

  /**
   * @param {Object} board
   * @param {(piles: import("../game/effects.js").Piles) => void} board.draw
   * @param {(piles: string[]) => void} board.gather
   * @param {(running: boolean) => void} board.busy called when a sequence starts and ends
   */
  constructor(board) {
    this.board = board;
  }

  /** Whether more positions are to come. */
  get running() {
    return this.#running;
  }

  /** @param {import("../game/effects.js").IntermediatePosition[]} stages the last being the goal */
  show(stages) {
    this.stop();
    if (stages.length === 0) return;
    this.#setRunning(true);
    this.#step(stages, Math.min(STEP_MILLISECONDS, MAX_SEQUENCE_MILLISECONDS / stages.length));
  }

  stop() {
    clearTimeout(this.#timer);
    this.#setRunning(false);
  }

  /** @param {boolean} running */
  #setRunning(running) {
    if (this.#running !== running) this.board.busy(running);
    this.#running = running;
  }

  /** @param {IntermediatePosition[]} stages @param {number} pause */
  #step([stage, ...rest], pause) {
    if (stage.gathered) {
      this.board.gather(stage.gathered);
      this.#timer = setTimeout(() => this.#step([{ piles: stage.piles }, ...rest], pause), GATHER_MILLISECONDS);
      return;
    }
    this.board.draw(stage.piles);
    if (rest.length === 0) this.#setRunning(false);
    else this.#timer = setTimeout(() => this.#step(rest, pause), pause);
  }
}
