/**
 * The figures on court cards. One half is drawn in the upper half of the frame; the other half is the same one turned round.
 * They are flat shapes: robe, collar, head, hair, and a crown, a coronet or a feathered cap that tells the rank.
 */

const ROBE = '<path class="robe" d="M28 70V66C29 58 36 55 42 54L50 60L58 54C64 55 71 58 72 66V70Z"/>'
  + '<path class="trim" d="M42 54L50 60L58 54L61 55L52 70H48L39 55Z"/>';
const FACE = '<path class="skin" d="M44 43C44 38 56 38 56 43V48C56 53 53 56 50 56C47 56 44 53 44 48Z"/>'
  + '<path class="line" d="M46.6 46.4h1.8M51.6 46.4h1.8M48.6 52.2c.9 .7 1.9 .7 2.8 0M50 47v2.6"/>';

/** @type {Record<string, string>} */
const FIGURES = {
  K: '<path class="hair" d="M43 42C41 46 42 51 43 54L46 57C48 60 52 60 54 57L57 54C58 51 59 46 57 42L56 50C55 53 53 52 50 52'
    + 'C47 52 45 53 44 50Z"/>'
    + '<path class="gold" d="M41.5 43L40 34.5L45 38L50 33.8L55 38L60 34.5L58.5 43C54 41.4 46 41.4 41.5 43Z"/>'
    + '<path class="line" d="M42 41C46 39.6 54 39.6 58 41"/>',
  Q: '<path class="hair" d="M43 41C39 46 40 54 38 57C42 58 44 55 44.6 52L44.5 44L50 41.5L55.5 44L55.4 52C56 55 58 58 62 57'
    + 'C60 54 61 46 57 41C53 38 47 38 43 41Z"/>'
    + '<path class="gold" d="M42.5 41.5L41.5 36.5Q44 38.5 45.5 36Q48 38.4 50 34.5Q52 38.4 54.5 36Q56 38.5 58.5 36.5L57.5 41.5'
    + 'C53 39.8 47 39.8 42.5 41.5Z"/>',
  J: '<path class="hair" d="M43.4 43C41 47 41.6 51 42 53.4L45 52L44.6 45L55.4 45L55 52L58 53.4C58.4 51 59 47 56.6 43Z"/>'
    + '<path class="cap" d="M41.4 44C41 39 45 36.4 50 36.4C55 36.4 59 39 58.6 44C53 42 47 42 41.4 44Z"/>'
    + '<path class="gold" d="M57 42C61 41 64 38 64.5 34.5C60 34.4 56 36.6 55 40Z"/>',
};

/**
 * @param {string} card a jack, queen or king
 * @param {string} pip the markup of its suit, for the frame's corner
 */
export function courtHalf(card, pip) {
  return `<g class="figure">${ROBE}${FACE}${FIGURES[card[0]]}</g>${pip}`;
}
