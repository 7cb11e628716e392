/**
 * Positions shown one soon after the other. Whatever else is shown meanwhile ends it: no hand waits for it.
 *
 * @typedef {import("../game/effects.js").Stage} Stage
 * @typedef {import("../game/effects.js").Piles} Piles
 */

/** The longest that a row of positions may take, in milliseconds. */
const MAX_SEQUENCE_MILLISECONDS = 900;
/** Between two effects of a move, if the row is short. */
const STEP_MILLISECONDS = 110;
/** For cards to be gathered before they are laid out again. */
const GATHER_MILLISECONDS = 360;

export class PositionSequence {
  #timer = 0;
  #running = false;

  /**
   * @param {Object} board
   * @param {(piles: import("../game/effects.js").Piles) => void} board.draw
   * @param {(piles: string[]) => void} board.gather
   * @param {(running: boolean) => void} board.busy told when a row begins and ends
   */
  constructor(board) {
    this.board = board;
  }

  /** Whether positions are still to come. */
  get running() {
    return this.#running;
  }

  /** @param {import("../game/effects.js").Stage[]} stages the last being the goal */
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

  /** @param {Stage[]} stages @param {number} pause */
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
