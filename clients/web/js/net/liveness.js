/**
 * How long the server may keep a connection waiting: for the handshake, for an answer to a command, and for any message at all.
 * A socket may die without notice, so silence is ended with a ping, and a missing answer to it counts as the end of the socket.
 *
 * @typedef {{set: (run: () => void, delay: number) => unknown, clear: (timer: unknown) => void}} Timers
 */

const HANDSHAKE_MILLISECONDS = 10000;
const HEARTBEAT_MILLISECONDS = 20000;
const PONG_TIMEOUT_MILLISECONDS = 8000;
/** After this time without an answer to a command the answer is late, and the connection is tested. */
const ANSWER_MILLISECONDS = 2000;
/** The time for an answer to a ping that tests a connection in doubt. */
const TEST_MILLISECONDS = 4000;

export class Liveness {
  /** Ends the socket if nothing is heard. @type {unknown} */
  #silenceTimer = null;
  /** @type {unknown} */
  #answerTimer = null;
  #isLate = false;

  /**
   * @param {Object} ways
   * @param {Timers} ways.timers
   * @param {() => void} ways.ping send a ping
   * @param {() => void} ways.lost called when the socket counts as dead
   * @param {(isLate: boolean) => void} ways.late called when the answer to a command becomes late, and when this is over
   */
  constructor({ timers, ping, lost, late }) {
    this.timers = timers;
    this.ping = ping;
    this.lost = lost;
    this.late = late;
  }

  /** A socket is being opened. */
  expectHandshake() {
    this.#expectWord(this.lost, HANDSHAKE_MILLISECONDS);
  }

  /** The socket has opened, or has brought a message. */
  heard() {
    this.#expectWord(() => this.test(PONG_TIMEOUT_MILLISECONDS), HEARTBEAT_MILLISECONDS);
  }

  /** Send a ping, which must be answered. @param {number} [timeout] milliseconds */
  test(timeout = TEST_MILLISECONDS) {
    this.ping();
    this.#expectWord(this.lost, timeout);
  }

  /** A command was sent or answered. @param {boolean} isWaiting whether any command is not answered now */
  expectAnswer(isWaiting) {
    this.timers.clear(this.#answerTimer);
    this.#setLate(false);
    if (!isWaiting) return;
    this.#answerTimer = this.timers.set(() => {
      this.#setLate(true);
      this.test();
    }, ANSWER_MILLISECONDS);
  }

  /** The socket has closed. */
  stop() {
    this.timers.clear(this.#silenceTimer);
    this.expectAnswer(false);
  }

  /** @param {() => void} run @param {number} delay */
  #expectWord(run, delay) {
    this.timers.clear(this.#silenceTimer);
    this.#silenceTimer = this.timers.set(run, delay);
  }

  /** @param {boolean} isLate */
  #setLate(isLate) {
    if (isLate === this.#isLate) return;
    this.#isLate = isLate;
    this.late(isLate);
  }
}
