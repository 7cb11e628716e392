/**
 * One game on the page: joins the session (what is known), the board (what is seen), the hands and the connection.
 * What is plain shows at once; the server's answer then has the last word.
 */
import { announce, tellChoice, tellHand, tellPile } from "../language/announcements.js";
import { isStill } from "../ui/motion.js";
import { choose } from "../ui/dialogs.js";
import { Board } from "../board/board.js";
import { watchHands } from "../board/board_input.js";
import { stages } from "../game/effects.js";
import { isDecided, nextHome } from "../game/auto_finish.js";
import { Finisher } from "./auto_player.js";
import { foreseen, likely } from "../game/prediction.js";
import { t } from "../language/translate.js";
import { lookThrough } from "../board/pile_dialog.js";
import { bestMove, canLift, parseMove, targets } from "../game/moves.js";
import { drop, EMPTY, grasp, lift, stockAction, tap } from "../game/selection.js";
import { Sequence } from "../board/position_sequence.js";
import { isOver, receive, UNKNOWN } from "../game/session.js";
import { setting } from "../settings/settings.js";
import { Wishes } from "./command_queue.js";

/** Positions kept for taking back before the server has answered. */
const MOST_PAST = 100;

/**
 * @import { RulesPage } from "wire"
 * @import { Refusal } from "../net/api.js"
 * @import { Wish } from "../game/prediction.js"
 * @import { Hand, Tapped } from "../game/selection.js"
 * @import { GameMessage, Session } from "../game/session.js"
 * @typedef {import("../game/effects.js").Piles} Piles
 */

export class Table {
  /** @type {Session} */
  session = UNKNOWN;
  /** @type {Hand} */
  #hand = EMPTY;
  /** The piles as they are seen: the session's, or as foreseen while commands are on their way. @type {Piles|null} */
  #piles = null;
  /** Earlier positions, the latest last. @type {Piles[]} */
  #past = [];
  /** What each verb did last, and those that did the same twice. @type {Record<"last"|"twice", Map<string, string[]>>} */
  #did = { last: new Map(), twice: new Map() };
  /** @param {string} pile */
  #role = (pile) => this.board.role(pile);
  /** What lies in a pile, as it is seen. @param {string} pile */
  #cards = (pile) => this.#piles?.[pile] ?? [];
  /** The version that the last command was made against. */
  #sentAt = 0;
  /** @type {(() => void)[]} */
  #stops = [];

  /**
   * @param {Object} parts
   * @param {HTMLElement} parts.root
   * @param {RulesPage} parts.rules the game's, with its layout
   * @param {import("../net/connection.js").Connection} parts.connection
   * @param {string} parts.game its id
   * @param {() => {width: number, height: number, zoom?: number, grain?: number}} parts.room see Board
   * @param {(session: Session) => void} parts.changed
   * @param {(text: string, grave?: boolean) => void} parts.say
   */
  constructor({ root, rules, connection, game, room, changed, say }) {
    this.connection = connection;
    this.game = game;
    this.changed = changed;
    this.say = say;
    this.board = new Board(root, rules.layout, { label: t("table.label", { game: rules.name }), room });
    this.sequence = new Sequence({
      draw: (piles) => this.#draw(piles), gather: (piles) => this.board.gather(piles),
      busy: (running) => root.setAttribute("aria-busy", String(running)),
    });
    const discards = rules.layout.piles.filter(({ role }) => role === "discard");
    const discard = discards.length === 1 ? discards[0].name : null;
    /** @type {import("../game/prediction.js").Habits} */
    this.habits = { liesDown: (pile) => this.board.role(pile) === "stock", discard, verbs: this.#did.twice };
    this.wishes = new Wishes({
      send: (wish) => this.#send(wish), open: () => this.mine, changed: () => this.#changed(),
      refused: (refusal) => this.#refused(refusal),
    });
    this.finisher = new Finisher({
      next: () => this.#nextHome(), busy: () => this.wishes.busy, play: (text) => this.play(text), changed: () => changed(this.session),
    });
    this.#stops.push(connection.follow(game, {
      version: () => this.session.version,
      sight: () => this.session.sight,
      receive: (message) => this.#receive(message),
      refused: (refusal) => say(refusal.message, true),
    }));
    this.#stops.push(watchHands(this.board, {
      touch: () => this.#touch(),
      tap: (pile, depth) => this.#tap(pile, depth),
      twice: (pile, depth) => this.#twice(pile, depth),
      lift: (pile, depth) => this.#lift(pile, depth),
      targets: () => this.#targets(),
      drop: (pile) => this.#drop(pile),
      letGo: () => this.#hold(EMPTY),
      look: (pile) => this.#piles && lookThrough(pile, this.#piles[pile] ?? []),
      tell: (pile) => this.say(tellPile(pile, this.#piles?.[pile] ?? [], this.board.role(pile), this.moves), true),
    }));
  }

  close() {
    this.finisher.close();
    this.sequence.stop();
    this.wishes.close();
    this.#stops.forEach((stop) => stop());
    this.board.close();
  }

  /** The moves that are legal, or, while commands are on their way, likely to be. */
  get moves() {
    const { moves, piles } = this.session;
    return piles && this.#piles ? likely(moves, piles, this.#piles) : moves;
  }

  /** Whether one may play here. */
  get mine() {
    return this.session.sight === "seat" && !isOver(this.session);
  }

  /** @param {GameMessage} message */
  #receive(message) {
    const before = this.session;
    this.session = receive(before, message, Date.now());
    if (this.session.lost) this.connection.refresh(this.game);
    if (message.type === "presence") {
      this.changed(this.session);
      return;
    }
    this.#remember(before, message);
    if (this.session.version > this.#sentAt) this.wishes.heard();
    const seen = this.#piles;
    this.#piles = this.#foreseen();
    this.#hand = this.#stillHeld();
    const effects = message.type === "move_played" ? message.effects : undefined;
    const after = this.session.piles;
    if (before.piles && effects && after && this.#piles === after && !isStill()) this.#perform(before.piles, effects, after, seen);
    else this.#show();
    if (this.session.version > before.version) this.#announce(before.piles, message, after);
    this.changed(this.session);
  }

  /**
   * Say what has happened, whether or not it is seen to move.
   * @param {Piles|null} before
   * @param {GameMessage} message
   * @param {Piles|null} after
   */
  #announce(before, message, after) {
    if (message.type === "move_taken_back") this.say(t("replay.taken_back"));
    if (message.type !== "move_played" || !message.effects || !before || !after) return;
    this.say(announce(before, message.effects, after, this.#role));
  }

  /** @param {Session} before @param {GameMessage} message */
  #remember(before, message) {
    if (message.type === "view") this.#past = [];
    if (this.session === before || !before.piles) return;
    if (message.type === "move_taken_back") this.#past.pop();
    if (message.type !== "move_played") return;
    this.#past = [...this.#past.slice(-MOST_PAST), before.piles];
    if (!message.effects) return;
    const { last, twice } = this.#did;
    if (String(last.get(message.move)) === String(message.effects)) twice.set(message.move, message.effects);
    else twice.delete(message.move);
    last.set(message.move, message.effects);
  }

  /**
   * Show a move's effects one after the other, from the position that is seen already.
   * @param {Piles} before
   * @param {string[]} effects
   * @param {Piles} after
   * @param {Piles|null} seen
   */
  #perform(before, effects, after, seen) {
    const all = stages(before, effects, after, this.habits.liesDown);
    const known = all.findLastIndex(({ piles }) => alike(piles, seen));
    const left = all.slice(known + 1);
    if (setting("motion") === "quick" || left.length === 0) this.#show();
    else this.sequence.show(left);
  }

  #foreseen() {
    return this.session.piles && foreseen(this.session.piles, this.wishes.unseen, this.#past, this.habits);
  }

  #stillHeld() {
    return this.#hand.picked.every((pile) => this.#piles?.[pile]?.length) && this.mine ? this.#hand : EMPTY;
  }

  #targets() {
    return this.#hand.picked.length ? targets(this.moves, this.#hand.picked, this.#hand.count) : new Map();
  }

  /** A hand touches the table: what is still being shown is over. */
  #touch() {
    if (this.sequence.running) this.#show();
  }

  /** @param {Hand} hand */
  #hold(hand) {
    const same = this.#hand === hand;
    this.#hand = hand;
    if (!same || !this.sequence.running) this.#show();
  }

  #show() {
    this.sequence.stop();
    if (this.#piles) this.#draw(this.#piles);
  }

  /** @param {Piles} piles */
  #draw(piles) {
    this.board.root.classList.toggle("still", !this.mine);
    this.board.draw({ piles, hand: this.#hand, targets: this.#targets() }, { dealing: this.session.played === 0 });
  }

  #changed() {
    const piles = this.#foreseen();
    const moved = piles !== this.#piles;
    this.#piles = piles;
    if (moved) this.#show();
    if (!this.wishes.busy) this.finisher.answered();
    this.changed(this.session);
  }

  /**
   * @param {string} pile
   * @param {number} depth
   * @returns {boolean} whether the tap did all there was to do, so that a second one is no double tap
   */
  #tap(pile, depth) {
    if (!this.mine || !this.#piles) return false;
    const held = this.#hand.picked.length;
    const position = { moves: this.moves, cards: this.#cards, oneTap: Boolean(setting("oneTap")) };
    const answer = tap(this.#hand, { pile, depth, role: this.board.role(pile) }, position);
    if (!answer.play && !answer.attempt && !answer.hand.picked.length && !held) this.board.refuse(pile);
    this.#answer(answer);
    return answer.play !== undefined && held === 0 && this.board.role(pile) !== "stock";
  }

  /** @param {Tapped} answer */
  async #answer({ hand, play, choose: several, attempt }) {
    this.#hold(hand);
    this.#tellHand();
    const text = play ?? attempt ?? (several && await this.#choose(several));
    if (text) this.play(text);
  }

  /** Of several moves that the same hands may mean, the one that was meant. @param {string[]} texts @returns {Promise<string|undefined>} */
  async #choose(texts) {
    const piles = this.#piles ?? {};
    const words = texts.map((text) => tellChoice(parseMove(text, (name) => name in piles), piles));
    return texts[await choose(t("moves.which"), words)];
  }

  /** Says what is in hand; for all to read while several cards are picked that go together. */
  #tellHand() {
    const { picked } = this.#hand;
    if (picked.length && this.#piles) this.say(tellHand(this.#hand, this.#piles, this.moves), picked.length > 1);
  }

  /** @param {string} pile @param {number} depth */
  #twice(pile, depth) {
    if (!this.mine || !this.#piles) return;
    if (stockAction(this.moves, this.board.role(pile)) && !canLift(this.moves, pile)) {
      this.#tap(pile, depth);
      return;
    }
    const best = this.#best(pile, depth);
    this.#hold(EMPTY);
    if (best) this.play(best.text);
    else if (this.wishes.busy) this.wishes.add({ kind: "best", pile, depth });
    else this.board.refuse(pile);
  }

  /** @param {string} pile @param {number} depth */
  #best(pile, depth) {
    const { count } = grasp(this.moves, pile, this.#cards(pile), depth);
    return bestMove(this.moves, pile, count, this.#role, (name) => this.#cards(name).length);
  }

  /** @param {string} pile @param {number} depth */
  #lift(pile, depth) {
    if (!this.mine || !this.#piles) return 0;
    this.#hold(lift(this.#hand, pile, depth, { moves: this.moves, cards: this.#cards }));
    if (!this.#hand.picked.length) this.board.refuse(pile);
    else this.#tellHand();
    return this.#hand.count;
  }

  /** @param {string|null} pile */
  #drop(pile) {
    this.#answer(drop(this.#hand, pile, this.moves));
  }

  /**
   * Play a move: shown at once if it is legal as far as one knows, or comes after others that are on their way.
   * @param {string} text
   */
  play(text) {
    const piles = this.session.piles ?? {};
    const legal = this.moves.some((move) => move.text === text);
    const move = parseMove(text, (name) => name in piles);
    this.#hold(EMPTY);
    if (!this.wishes.add({ kind: "play", move, shown: legal || this.wishes.busy })) this.#show();
  }

  takeBack() {
    this.wishes.add({ kind: "take_back" });
  }

  resign() {
    this.wishes.add({ kind: "resign" });
  }

  /** @param {Wish} wish */
  async #send(wish) {
    const meant = { game: this.game, version: this.session.version };
    if (wish.kind === "take_back" || wish.kind === "resign") {
      this.#sentAt = meant.version;
      await this.connection.command({ type: wish.kind, ...meant });
      return;
    }
    const move = wish.kind === "best" ? this.#best(wish.pile, wish.depth) : wish.move;
    if (!move) {
      if (wish.kind === "best") this.board.refuse(wish.pile);
      return;
    }
    this.#sentAt = meant.version;
    await this.connection.command({ type: "play", ...meant, move: move.text });
  }

  /** @param {Refusal} refusal */
  #refused(refusal) {
    this.finisher.stop();
    if (["stale_version", "conflict"].includes(refusal.code)) this.connection.refresh(this.game);
    this.#show();
    this.say(refusal.message, true);
  }

  /** Whether nothing is left to decide, and the player likes to be offered that the rest is played. */
  get decided() {
    const { piles, moves } = this.session;
    return this.mine && Boolean(setting("finish")) && piles !== null && isDecided(piles, moves, this.#role);
  }

  #nextHome() {
    return this.mine ? nextHome(this.session.moves, this.#role)?.text : undefined;
  }
}

/** Whether two positions look the same. @param {Piles} one @param {Piles|null} other */
function alike(one, other) {
  return other !== null && Object.keys(one).every((pile) => one[pile] === other[pile] || String(one[pile]) === String(other[pile]));
}
