/**
 * What was seen of earlier moves, to predict later ones: the positions before them, and what each verb did.
 *
 * @import { Piles } from "./effects.js"
 * @import { GameMessage, Session } from "./session.js"
 */

/** How many positions are kept, to show a move taken back before the server has answered. */
const MAX_PAST_POSITIONS = 100;

export class MoveMemory {
  /** Earlier positions, the latest last. @type {Piles[]} */
  positions = [];
  /** The effects of those verbs that did the same thing twice. @type {Map<string, string[]>} */
  verbs = new Map();
  /** The last effects of each move. @type {Map<string, string[]>} */
  #lastEffects = new Map();

  /**
   * Take in a message.
   * @param {Session} before
   * @param {GameMessage} message
   * @param {Session} after
   */
  add(before, message, after) {
    if (message.type === "view") this.positions = [];
    if (after === before || !before.piles) return;
    if (message.type === "move_taken_back") this.positions.pop();
    if (message.type !== "move_played") return;
    this.positions = [...this.positions.slice(-MAX_PAST_POSITIONS), before.piles];
    if (!message.effects) return;
    if (String(this.#lastEffects.get(message.move)) === String(message.effects)) this.verbs.set(message.move, message.effects);
    else this.verbs.delete(message.move);
    this.#lastEffects.set(message.move, message.effects);
  }
}
