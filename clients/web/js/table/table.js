/**
 * A game that is played on the page. It joins the session (what is known), the board (what is seen), the input and the
 * connection. The plain effects of a move are shown at once; the server's answer then decides.
 */
import { Board } from "../board/board.js";
import { listenToBoard } from "../board/board_input.js";
import { startCascade } from "../board/cascade.js";
import { PositionSequence } from "../board/position_sequence.js";
import { intermediatePositions, soundOfEffects } from "../game/effects.js";
import { DOWN } from "../game/cards.js";
import { hasRedeal } from "../game/limited_verbs.js";
import { MoveMemory } from "../game/move_memory.js";
import { bestMove, canLift, parseMove, targets } from "../game/moves.js";
import { likelyMoves, predictPiles, samePosition } from "../game/prediction.js";
import { EMPTY_HAND, drop, lift, pickUp, stockAction, tap } from "../game/selection.js";
import { UNKNOWN_SESSION, applyMessage, isOver } from "../game/session.js";
import { choiceWords, handAnnouncement, moveAnnouncement, pileAnnouncement } from "../language/announcements.js";
import { t } from "../language/translate.js";
import { setting } from "../settings/settings.js";
import { chooseOne } from "../ui/dialogs.js";
import { isMotionOff } from "../ui/motion.js";
import { playSound } from "../ui/sounds.js";
import { AutoPlayer } from "./auto_player.js";
import { CommandQueue } from "./command_queue.js";

/**
 * @import { RulesPage } from "wire"
 * @import { Refusal } from "../net/api.js"
 * @import { QueuedCommand } from "../game/prediction.js"
 * @import { Hand, TapResult } from "../game/selection.js"
 * @import { GameMessage, Session } from "../game/session.js"
 * @typedef {import("../game/effects.js").Piles} Piles
 */

export class Table {
  /** @type {Session} */
  session = UNKNOWN_SESSION;
  /** @type {Hand} */
  #hand = EMPTY_HAND;
  /** The piles as they are seen: those of the session, or predicted ones while commands are not answered. @type {Piles|null} */
  #piles = null;
  #memory = new MoveMemory();
  /** @param {string} pile */
  #role = (pile) => this.board.role(pile);
  /** The cards of a pile as they are seen. @param {string} pile */
  #cards = (pile) => this.#piles?.[pile] ?? [];
  /** The version that the last command named. */
  #sentVersion = 0;
  /** @type {(() => void)[]} */
  #stops = [];

  /**
   * @param {Object} parts
   * @param {HTMLElement} parts.root
   * @param {RulesPage} parts.rules of the game, with its layout
   * @param {import("../net/connection.js").Connection} parts.connection
   * @param {string} parts.game its id
   * @param {() => {width: number, height: number, zoom?: number, grain?: number}} parts.room see Board
   * @param {(session: Session) => void} parts.changed
   * @param {(text: string, grave?: boolean) => void} parts.say
   * @param {(text: string, session: Session) => true|Promise<boolean>} parts.permit asked before a move is played
   */
  constructor({ root, rules, connection, game, room, changed, say, permit }) {
    this.connection = connection;
    this.game = game;
    this.changed = changed;
    this.permit = permit;
    this.say = say;
    this.board = new Board(root, rules, { label: t("table.label", { game: rules.name }), room });
    this.sequence = new PositionSequence({
      draw: (piles) => this.#draw(piles), gather: (piles) => this.board.gather(piles),
      busy: (running) => root.setAttribute("aria-busy", String(running)),
    });
    const discards = rules.layout.piles.filter(({ role }) => role === "discard");
    const discard = discards.length === 1 ? discards[0].name : null;
    /** @type {import("../game/prediction.js").PredictionContext} */
    this.predictionContext = { liesDown: (pile) => this.board.role(pile) === "stock", discard, verbs: this.#memory.verbs };
    this.commands = new CommandQueue({
      send: (command) => this.#send(command), open: () => this.canPlay, changed: () => this.#handleQueueChange(),
      refused: (refusal) => this.#handleRefusal(refusal),
    });
    this.autoPlayer = new AutoPlayer({
      next: () => (this.canPlay ? this.session.finish ?? undefined : undefined), busy: () => this.commands.busy,
      play: (text) => this.play(text), changed: () => changed(this.session),
    });
    this.#stops.push(connection.subscribe(game, {
      version: () => this.session.version,
      sight: () => this.session.sight,
      receive: (message) => this.#handleMessage(message),
      refused: (refusal) => say(refusal.message, true),
    }));
    this.#stops.push(listenToBoard(this.board, {
      beforeInput: () => this.#endAnimation(),
      tap: (pile, depth) => this.#tap(pile, depth),
      doubleTap: (pile, depth) => this.#doubleTap(pile, depth),
      lift: (pile, depth) => this.#lift(pile, depth),
      targets: () => this.#targets(),
      drop: (pile) => this.#drop(pile),
      putDown: () => this.#setHand(EMPTY_HAND),
      cards: this.#cards,
      describePile: (pile) => this.say(pileAnnouncement(pile, this.#cards(pile), this.board.role(pile), this.moves), true),
    }));
  }

  close() {
    this.autoPlayer.close();
    this.sequence.stop();
    this.commands.close();
    this.#stops.forEach((stop) => stop());
    this.board.close();
  }

  /** The legal moves; while commands are not answered, those that are probably still legal. */
  get moves() {
    const { moves, piles } = this.session;
    return piles && this.#piles ? likelyMoves(moves, piles, this.#piles) : moves;
  }

  get canPlay() {
    return this.session.sight === "seat" && !isOver(this.session);
  }

  /** @param {GameMessage} message */
  #handleMessage(message) {
    const before = this.session;
    this.session = applyMessage(before, message, Date.now());
    if (this.session.lost) this.connection.requestView(this.game);
    if (message.type === "presence") {
      this.changed(this.session);
      return;
    }
    this.#memory.add(before, message, this.session);
    if (this.session.version > this.#sentVersion) this.commands.markFirstApplied();
    const seen = this.#piles;
    this.#piles = this.#predictedPiles();
    this.#hand = this.#handStillHeld();
    const effects = message.type === "move_played" ? message.effects : undefined;
    const after = this.session.piles;
    if (effects && after) this.#playSound(effects, after, seen);
    if (before.piles && effects && after && this.#piles === after && !isMotionOff()) this.#showEffects(before.piles, effects, after, seen);
    else this.#show();
    if (this.session.version > before.version) this.#announce(before.piles, message, after);
    const isNewOffer = message.type === "move_played" && before.finish === null && this.session.finish !== null;
    if (isNewOffer && this.canPlay && setting("finishAlone")) this.autoPlayer.start();
    this.changed(this.session);
  }

  /**
   * Play the sound of a move, unless it only lays cards that are seen there already: then it was heard when they were laid.
   * @param {string[]} effects
   * @param {Piles} after
   * @param {Piles|null} seen
   */
  #playSound(effects, after, seen) {
    const sound = soundOfEffects(effects);
    if (sound !== "lay" || !samePosition(after, seen)) playSound(sound);
  }

  /** Let the cards of a won game leap. A press or a key ends it. @returns {Promise<void>} resolved when they are home */
  celebrate() {
    if (!this.#piles) return Promise.resolve();
    playSound("win");
    const cascade = startCascade(this.board, this.#piles);
    this.#stops.push(cascade.stop);
    return cascade.finished;
  }

  /**
   * Say what has happened, whether or not it is animated.
   * @param {Piles|null} before
   * @param {GameMessage} message
   * @param {Piles|null} after
   */
  #announce(before, message, after) {
    if (message.type === "move_taken_back") this.say(t("replay.taken_back"));
    if (message.type !== "move_played" || !message.effects || !before || !after) return;
    this.say(moveAnnouncement(before, message.effects, after, this.#role));
  }

  /**
   * Show the effects of a move one after the other, from the position that is already seen.
   * @param {Piles} before
   * @param {string[]} effects
   * @param {Piles} after
   * @param {Piles|null} seen
   */
  #showEffects(before, effects, after, seen) {
    const all = intermediatePositions(before, effects, after, this.predictionContext.liesDown);
    const known = all.findLastIndex(({ piles }) => samePosition(piles, seen));
    const left = all.slice(known + 1);
    if (setting("motion") === "quick" || left.length === 0) this.#show();
    else this.sequence.show(left);
  }

  #predictedPiles() {
    return this.session.piles && predictPiles(this.session.piles, this.commands.unapplied, this.#memory.positions, this.predictionContext);
  }

  #handStillHeld() {
    return this.#hand.picked.every((pile) => this.#piles?.[pile]?.length) && this.canPlay ? this.#hand : EMPTY_HAND;
  }

  #targets() {
    return this.#hand.picked.length ? targets(this.moves, this.#hand.picked, this.#hand.count) : new Map();
  }

  /** End an animation when the player touches the table. */
  #endAnimation = () => this.sequence.running && this.#show();

  /** @param {Hand} hand */
  #setHand(hand) {
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
    this.board.root.classList.toggle("still", !this.canPlay);
    const redeal = hasRedeal(this.session.moves, this.session.counters);
    const known = piles === this.#piles ? this.session.piles ?? piles : piles;
    this.board.draw({ piles, known, hand: this.#hand, targets: this.#targets(), redeal }, { dealing: this.session.played === 0 });
  }

  #handleQueueChange() {
    const piles = this.#predictedPiles();
    const moved = piles !== this.#piles;
    this.#piles = piles;
    if (moved && this.commands.busy) playSound("lay");
    const putBack = !this.commands.busy && this.board.release();
    if (moved || putBack) this.#show();
    if (!this.commands.busy) this.autoPlayer.continueAfterAnswer();
    this.changed(this.session);
  }

  /**
   * @param {string} pile
   * @param {number} depth
   * @returns {boolean} whether the tap did everything, so that a second tap is no double tap
   */
  #tap(pile, depth) {
    if (!this.canPlay || !this.#piles) return false;
    const held = this.#hand.picked.length;
    const position = { moves: this.moves, cards: this.#cards, oneTap: Boolean(setting("oneTap")) };
    const answer = tap(this.#hand, { pile, depth, role: this.board.role(pile) }, position);
    if (!answer.play && !answer.attempt && !answer.hand.picked.length && !held) {
      this.board.shakePile(pile);
      if (this.#role(pile) === "stock") this.#sayWhyNoDeal();
    }
    this.#handleTapResult(answer);
    return answer.play !== undefined && held === 0 && this.board.role(pile) !== "stock";
  }

  /** Deal from the stock, or say why not. */
  deal() {
    const action = stockAction(this.moves, "stock");
    if (action) this.play(action);
    else this.#sayWhyNoDeal();
  }

  #sayWhyNoDeal() {
    const stock = Object.entries(this.#piles ?? {}).filter(([pile]) => this.#role(pile) === "stock");
    if (!this.canPlay || this.commands.busy || !stock.length) return;
    const isSpent = stock.every(([, cards]) => !cards.length) && !hasRedeal(this.session.moves, this.session.counters);
    this.say(t(isSpent ? "seat.stock_spent" : "seat.no_deal_now"), true);
  }

  /** @param {TapResult} answer */
  async #handleTapResult({ hand, play, choose: several, attempt }) {
    this.#setHand(hand);
    this.#announceHand();
    const text = play ?? attempt ?? (several && await this.#choose(several));
    if (text) this.play(text, hand);
    else if (several) this.#putBack();
  }

  /** Let cards that were dropped glide back to their pile. */
  #putBack = () => (this.board.release(), this.#show());

  /** Ask which of several moves was meant. @param {string[]} texts @returns {Promise<string|undefined>} */
  async #choose(texts) {
    const piles = this.#piles ?? {};
    const words = texts.map((text) => choiceWords(parseMove(text, (name) => name in piles), piles));
    return texts[await chooseOne(t("moves.which"), words)];
  }

  /** Say what is in hand. While several cards are picked together, the text is also visible. */
  #announceHand() {
    const { picked } = this.#hand;
    if (picked.length && this.#piles) this.say(handAnnouncement(this.#hand, this.#piles, this.moves), picked.length > 1);
  }

  /** @param {string} pile @param {number} depth */
  #doubleTap(pile, depth) {
    if (!this.canPlay || !this.#piles) return;
    if (stockAction(this.moves, this.board.role(pile)) && !canLift(this.moves, pile)) {
      this.#tap(pile, depth);
      return;
    }
    const best = this.#bestMove(pile, depth);
    this.#setHand(EMPTY_HAND);
    if (best) this.play(best.text);
    else if (this.commands.busy) this.commands.add({ kind: "best", pile, depth });
    else if (this.#cards(pile).length) this.#refuseLift(pile);
  }

  /** Shake a pile whose top card can go nowhere, and say so. @param {string} pile */
  #refuseLift(pile) {
    this.board.shakePile(pile);
    if (this.#cards(pile).length) this.say(t(this.#cards(pile).at(-1) === DOWN ? "seat.face_down" : "seat.goes_nowhere"), true);
  }

  /** @param {string} pile @param {number} depth */
  #bestMove(pile, depth) {
    const { count } = pickUp(this.moves, pile, this.#cards(pile), depth);
    return bestMove(this.moves, pile, count, this.#role, (name) => this.#cards(name).length);
  }

  /** @param {string} pile @param {number} depth */
  #lift(pile, depth) {
    if (!this.canPlay || !this.#piles) return 0;
    this.#setHand(lift(this.#hand, pile, depth, { moves: this.moves, cards: this.#cards }));
    if (!this.#hand.picked.length) this.#refuseLift(pile);
    else this.#announceHand();
    return this.#hand.count;
  }

  /** @param {string|null} pile */
  #drop(pile) {
    const result = drop(this.#hand, pile, this.moves);
    this.board.drop();
    if (!result.play && !result.choose) this.board.release();
    this.#handleTapResult(result);
  }

  /**
   * Play a move, if it is permitted. It is shown at once if it is legal as far as known, or if other commands are not answered yet.
   * @param {string} text
   * @param {Hand} hand what stays in hand
   */
  async play(text, hand = EMPTY_HAND) {
    const permitted = this.permit(text, this.session);
    if (permitted !== true && !(await permitted)) {
      this.#putBack();
      return;
    }
    const piles = this.session.piles ?? {};
    const legal = this.moves.some((move) => move.text === text);
    const move = parseMove(text, (name) => name in piles);
    this.#setHand(hand);
    if (!this.commands.add({ kind: "play", move, shown: legal || this.commands.busy })) this.#putBack();
  }

  /** Take the last move back. Where this is not allowed, the server's reason is said. */
  takeBack() {
    if (isOver(this.session)) this.say(t("seat.over"), true);
    else this.commands.add({ kind: "take_back", shown: this.session.canTakeBack });
  }

  resign = () => this.commands.add({ kind: "resign" });

  /** @param {QueuedCommand} command */
  async #send(command) {
    const meant = { game: this.game, version: this.session.version };
    if (command.kind === "take_back" || command.kind === "resign") {
      this.#sentVersion = meant.version;
      await this.connection.command({ type: command.kind, ...meant });
      return;
    }
    const move = command.kind === "best" ? this.#bestMove(command.pile, command.depth) : command.move;
    if (!move) {
      if (command.kind === "best") this.board.shakePile(command.pile);
      return;
    }
    this.#sentVersion = meant.version;
    await this.connection.command({ type: "play", ...meant, move: move.text });
  }

  /** @param {Refusal} refusal */
  #handleRefusal(refusal) {
    this.autoPlayer.stop();
    if (["stale_version", "conflict"].includes(refusal.code)) this.connection.requestView(this.game);
    this.#putBack();
    this.say(refusal.message, true);
  }

  /** Whether to offer to play the rest: nothing is left to decide, and the setting allows it. */
  get offersAutoFinish() {
    return this.canPlay && Boolean(setting("finish")) && this.session.finish !== null;
  }
}
