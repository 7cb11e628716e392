/**
 * How long the clock of a game has rested while the player read the rules. A game that counts has no rest. The time is kept for
 * this tab, so that it is the same after loading the page again.
 */

/**
 * @param {string} game its id
 * @param {{now?: () => number, storage?: Pick<Storage, "getItem"|"setItem">}} [machine]
 */
export function makeRestingClock(game, { now = Date.now, storage = sessionStorage } = {}) {
  const key = `cadogan.rested.${game}`;
  let before = Number(storage.getItem(key) ?? 0);
  /** When the rest began that still goes on. @type {number|null} */
  let since = null;
  const rested = () => before + (since === null ? 0 : now() - since);

  return {
    /** Milliseconds of rest so far. */
    rested,
    /** Begin to rest, or end that. @param {boolean} resting */
    rest(resting) {
      if (resting === (since !== null)) return;
      before = rested();
      since = resting ? now() : null;
      storage.setItem(key, String(before));
    },
  };
}
