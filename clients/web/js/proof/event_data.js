/** Which keys the data of each event has, and what their values are. An event has all of them and no others, but for `OPTIONAL`. */

/** @typedef {(value: any) => boolean} Test */

/** @type {Test} */
const isText = (value) => typeof value === "string";
/** @type {Test} */
const isInteger = (value) => Number.isSafeInteger(value);
/** @type {Test} */
const isBoolean = (value) => typeof value === "boolean";
/** @type {Test} */
const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @type {(test: Test) => Test} */
const orNull = (test) => (value) => value === null || test(value);
/** @type {(test: Test) => Test} */
const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
/** @type {(test: Test) => Test} */
const mapOf = (test) => (value) => isMap(value) && Object.values(value).every(test);
/** @type {Test} */
const isResult = (value) => ["won", "lost", "resigned", "out_of_time"].includes(value);

/** @type {Map<string, [key: string, test: Test][]>} */
const FIELDS = new Map(Object.entries({
  game_dealt: {
    game: isText, rules_version: isInteger, player: isText, deal: isText, nonce: isText, commitment: isText,
    day: orNull(isText), slot: orNull(isInteger), match: orNull(isText), ranked: isBoolean,
    piles: mapOf(listOf(isText)), counters: mapOf(isInteger),
  },
  move_played: { move: isText, effects: listOf(isText) },
  move_taken_back: {},
  game_finished: {
    result: isResult, score: isInteger, points: isInteger, moves: isInteger, milliseconds: isInteger, active: isInteger,
  },
  deal_revealed: { secret: isText },
  challenge_spoiled: { player: isText, deal: isText },
}).map(([type, fields]) => [type, Object.entries(fields)]));

/** The keys that only some events of a type have. @type {Record<string, [key: string, test: Test][]>} */
const OPTIONAL = {
  game_dealt: [["about", isText], ["competition", isText], ["origin", (value) => isMap(value) && Object.keys(value).length === 2 + Number(isInteger(value.moves)) && isText(value.game) && isInteger(value.version)], ["number", isInteger], ["winnable", (value) => isMap(value) && Object.keys(value).length === 3 && isInteger(value.candidate) && isInteger(value.solver) && isInteger(value.budget)]],
  game_finished: [["counts", (value) => value === false]],
};

/** Whether a game can have an event of this type. @param {string} type */
export const isKnownEvent = (type) => FIELDS.has(type);

/**
 * The first key of an event's data that is missing, has a wrong value, or should not be there; null if there is none.
 * @param {string} type
 * @param {Record<string, any>} data
 * @returns {string|null}
 */
export function firstWrongKey(type, data) {
  const optional = (OPTIONAL[type] ?? []).filter(([key]) => Object.hasOwn(data, key));
  const fields = [...(FIELDS.get(type) ?? []), ...optional];
  for (const [key, test] of fields) if (!Object.hasOwn(data, key) || !test(data[key])) return key;
  const keys = Object.keys(data);
  return keys.length === fields.length ? null : keys.find((key) => !fields.some(([known]) => known === key)) ?? null;
}
