/** A board that is only looked at: it shows positions, and the effects of a move one after the other where they are known. */
import { PositionSequence } from "../board/position_sequence.js";
import { intermediatePositions } from "../game/effects.js";
import { EMPTY_HAND } from "../game/selection.js";
import { setting } from "../settings/settings.js";
import { isMotionOff } from "../ui/motion.js";
import { allowLookingOnly } from "./side_table.js";

/** @typedef {import("../game/effects.js").Piles} Piles */

export class BoardViewer {
  /** The piles that are seen, or that an animation leads to. @type {Piles|null} */
  #piles = null;
  #stopListening;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.sequence = new PositionSequence({
      draw: (piles) => this.#draw(piles), gather: (piles) => board.gather(piles),
      busy: (running) => board.root.setAttribute("aria-busy", String(running)),
    });
    board.root.classList.add("still");
    this.#stopListening = allowLookingOnly(board, () => this.#piles);
  }

  close() {
    this.sequence.stop();
    this.#stopListening();
    this.board.close();
  }

  /**
   * Show a position. If it follows by a move from the one that is seen, the move's effects are shown in order. While the
   * effects of the move before it are still shown, the cards go straight to their places.
   * @param {Piles|null} piles null if no cards may be seen; then nothing changes
   * @param {{before: Piles, effects: string[]}|null} [move]
   */
  show(piles, move = null) {
    if (piles === null || piles === this.#piles) return;
    const follows = move !== null && this.#piles === move.before && !this.sequence.running;
    this.#piles = piles;
    if (follows && !isMotionOff() && setting("motion") === "full") {
      this.sequence.show(intermediatePositions(move.before, move.effects, piles, (pile) => this.board.role(pile) === "stock"));
      return;
    }
    this.sequence.stop();
    this.#draw(piles);
  }

  /** @param {Piles} piles */
  #draw(piles) {
    this.board.draw({ piles, hand: EMPTY_HAND, targets: new Map() });
  }
}

/**
 * The move that leads from one step to another, if it is the next one.
 * @param {import("../game/replay_steps.js").Step[]} steps
 * @param {number} from
 * @param {number} to
 * @returns {{before: Piles, effects: string[]}|null}
 */
export function moveBetween(steps, from, to) {
  const { effects } = steps[to];
  const before = steps[from]?.session.piles;
  return to === from + 1 && effects && before ? { before, effects } : null;
}
