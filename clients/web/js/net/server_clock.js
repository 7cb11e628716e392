/**
 * The server's clock, by which days begin and end: that of the device may be wrong, and stand in another zone. It is read from the
 * `Date` of every answer, to a second.
 */

/** The server's clock minus the device's, in milliseconds; 0 before the first answer. */
let offset = 0;

/** The time on the server's clock, in milliseconds since 1970. */
export const serverNow = () => Date.now() + offset;

/**
 * Set the clock by an answer.
 * @param {string|null} date its `Date`, a whole second that has begun; without one nothing changes
 * @param {number} sentAt when the request was sent, in milliseconds on the device's clock
 * @param {number} receivedAt when the answer began
 */
export function setServerClock(date, sentAt, receivedAt) {
  const told = Date.parse(date ?? "");
  if (!Number.isNaN(told)) offset = told + 500 - (sentAt + receivedAt) / 2;
}
