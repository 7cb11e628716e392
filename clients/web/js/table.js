/**
 * One game on the page: joins the session (what is known), the board (what is seen), the hands and the connection.
 * A move that is plain shows at once; the server's answer then has the last word.
 */
import { Board } from "./board.js";
import { cardWords, DOWN, pileWords } from "./cards.js";
import { watchHands } from "./drag.js";
import { lookThrough } from "./look.js";
import { bestMove, canLift, targets } from "./moves.js";
import { EMPTY, grasp, playing, stockAction, tap } from "./selection.js";
import { foresee, isOver, receive, UNKNOWN } from "./session.js";
import { plainWords } from "./words.js";

/** So many wishes are kept while the server is silent. */
const MOST_POSTPONED = 8;

export class Table {
  session = UNKNOWN;
  #hand = EMPTY;
  /** Piles as foreseen while a command is on its way. */
  #foreseen = null;
  #busy = false;
  /** What was asked for while a command was on its way, in order. @type {(() => void)[]} */
  #later = [];
  #stops = [];

  /**
   * @param {Object} parts
   * @param {HTMLElement} parts.root
   * @param {object} parts.rules the game's, with its layout
   * @param {import("./connection.js").Connection} parts.connection
   * @param {string} parts.game its id
   * @param {() => object} parts.room see Board
   * @param {(session: import("./session.js").Session) => void} parts.changed
   * @param {(text: string, grave?: boolean) => void} parts.say
   */
  constructor({ root, rules, connection, game, room, changed, say }) {
    Object.assign(this, { connection, game, changed, say });
    this.board = new Board(root, rules.layout, { label: `${rules.name}, the table`, room });
    this.#stops.push(connection.follow(game, {
      version: () => this.session.version,
      receive: (message) => this.#receive(message),
      refused: (refusal) => say(refusal.message, true),
    }));
    this.#stops.push(watchHands(this.board, {
      tap: (pile, depth) => this.#tap(pile, depth),
      twice: (pile, depth) => this.#twice(pile, depth),
      lift: (pile, depth) => this.#lift(pile, depth),
      targets: () => this.#targets(),
      drop: (pile) => this.#drop(pile),
      letGo: () => this.#hold(EMPTY),
      look: (pile) => this.#piles && lookThrough(pile, this.#piles[pile] ?? []),
    }));
  }

  close() {
    this.#stops.forEach((stop) => stop());
    this.board.close();
  }

  get #moves() {
    return this.session.moves;
  }

  get #piles() {
    return this.#foreseen ?? this.session.piles;
  }

  get #mine() {
    return this.session.sight === "seat" && !isOver(this.session);
  }

  #receive(message) {
    this.session = receive(this.session, message, Date.now());
    if (this.session.lost) this.connection.refresh(this.game);
    if (message.type === "presence") {
      this.changed(this.session);
      return;
    }
    if (!this.#busy || message.command !== undefined || message.type === "view") this.#foreseen = null;
    if (message.type === "move_played" && message.piles) this.#announce(message);
    this.#hold(this.#stillHeld());
    this.changed(this.session);
  }

  /** Words for those who do not see the cards move. */
  #announce({ move }) {
    const goal = move.split("/")[1];
    const top = this.session.piles?.[goal]?.at(-1);
    this.say(top && top !== DOWN ? `${cardWords(top)} on ${pileWords(goal)}` : "", false);
  }

  #stillHeld() {
    const { picked } = this.#hand;
    return picked.every((pile) => this.session.piles?.[pile]?.length) && this.#mine ? this.#hand : EMPTY;
  }

  #targets() {
    return this.#hand.picked.length ? targets(this.#moves, this.#hand.picked, this.#hand.count) : new Map();
  }

  #hold(hand) {
    this.#hand = hand;
    if (!this.#piles) return;
    this.board.root.classList.toggle("still", !this.#mine);
    this.board.draw({ piles: this.#piles, hand, targets: this.#targets() }, { dealing: this.session.played === 0 });
  }

  #tap(pile, depth) {
    if (!this.#mine) return;
    const position = { moves: this.#moves, cards: (name) => this.#piles[name] ?? [] };
    const answer = tap(this.#hand, { pile, depth, role: this.board.role(pile) }, position);
    const changed = answer.hand.picked.length || this.#hand.picked.length;
    if (!answer.play && !answer.attempt && !changed) this.board.refuse(pile);
    this.#hold(answer.hand);
    if (answer.play || answer.attempt) this.play(answer.play ?? answer.attempt);
  }

  #twice(pile, depth) {
    if (!this.#mine) return;
    if (this.#busy) {
      this.#postpone(() => this.#twice(pile, depth));
      return;
    }
    if (stockAction(this.#moves, this.board.role(pile)) && !canLift(this.#moves, pile)) {
      this.#tap(pile, depth);
      return;
    }
    const { count } = grasp(this.#moves, pile, this.#piles[pile] ?? [], depth);
    const size = (name) => this.#piles[name]?.length ?? 0;
    const best = bestMove(this.#moves, pile, count, (name) => this.board.role(name), size);
    this.#hold(EMPTY);
    if (best) this.play(best.text);
    else this.board.refuse(pile);
  }

  #lift(pile, depth) {
    if (!this.#mine) return 0;
    this.#hold(grasp(this.#moves, pile, this.#piles[pile] ?? [], depth));
    if (!this.#hand.picked.length) this.board.refuse(pile);
    return this.#hand.count;
  }

  #drop(pile) {
    const hand = this.#hand;
    if (pile === null || hand.picked.includes(pile)) {
      this.#hold(EMPTY);
      return;
    }
    const text = playing(hand, pile, this.#moves);
    if (!text && this.#targets().has(pile)) {
      this.#hold({ picked: [...hand.picked, pile], count: 1 });
      return;
    }
    this.#hand = EMPTY;
    this.play(text ?? (hand.count === 1 ? `${hand.picked[0]}/${pile}` : `${hand.picked[0]}/${pile}/${hand.count}`));
  }

  /**
   * Play a move; while another is on its way, remember it and play it afterwards if it is legal then.
   * @param {string} text
   */
  play(text) {
    const legal = () => this.#moves.find((known) => known.text === text);
    if (this.#busy) {
      this.#postpone(() => legal() && this.play(text));
      return;
    }
    const move = legal();
    if (move) this.#foreseen = foresee(this.session.piles, move);
    this.#hold(EMPTY);
    this.#command({ type: "play", move: text });
  }

  takeBack() {
    if (this.#busy) this.#postpone(() => this.session.canTakeBack && this.takeBack());
    else this.#command({ type: "take_back" });
  }

  resign() {
    if (this.#busy) this.#postpone(() => this.#mine && this.resign());
    else this.#command({ type: "resign" });
  }

  #postpone(run) {
    if (this.#later.length < MOST_POSTPONED) this.#later.push(run);
    this.#hold(EMPTY);
  }

  async #command(command) {
    this.#busy = true;
    this.changed(this.session);
    try {
      await this.connection.command({ ...command, game: this.game, version: this.session.version });
      this.#done();
    } catch (refusal) {
      this.#later = [];
      if (["stale_version", "conflict"].includes(refusal.code)) this.connection.refresh(this.game);
      this.#done();
      this.say(plainWords(refusal.message, Object.keys(this.session.piles ?? {})), true);
    }
  }

  #done() {
    this.#busy = false;
    this.#foreseen = null;
    this.#hold(this.#hand);
    this.changed(this.session);
    while (!this.#busy && this.#later.length) this.#later.shift()();
  }
}
