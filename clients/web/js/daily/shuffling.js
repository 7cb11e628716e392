/** A day whose cards are being shuffled: they follow from a public beacon, too, which speaks when the day begins. */
import { readDaily } from "../net/api.js";

const INTERVAL_MILLISECONDS = 2000;

/**
 * Look every few seconds whether a day is still being shuffled; returns what ends this.
 * @param {{day: string, shuffling?: boolean}} daily
 * @param {() => void} done called once the cards are fixed
 * @returns {() => void}
 */
export function awaitShuffling({ day, shuffling }, done) {
  if (!shuffling) return () => {};
  let timer = 0;
  const wait = () => { timer = setTimeout(look, INTERVAL_MILLISECONDS * (1 + Math.random() / 2)); };
  const look = async () => {
    const daily = await readDaily(day).catch(() => null);
    if (timer && daily && !daily.shuffling) done();
    else if (timer) wait();
  };
  wait();
  return () => {
    clearTimeout(timer);
    timer = 0;
  };
}
