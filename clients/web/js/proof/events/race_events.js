/** The events of a race: which keys their data has. */

import { exactly, exactlyWith, isInteger, isText, listOf } from "./shapes.js";

/** @typedef {import("./shapes.js").Test} Test */

/** @type {Test} */
const isFlag = (value) => typeof value === "boolean";
const RESULT = exactlyWith({ home_after: isInteger }, {
  player: isText, game: isText, result: isText, home: isInteger, score: isInteger, moves: isInteger, milliseconds: isInteger,
});

/** @type {Record<string, Test>} */
const SHAPES = {
  match_opened: exactly({
    host: isText, game: isText, deal: isText, commitment: isText, size: isInteger, seconds: isInteger, countdown: isInteger, open: isFlag, invited: listOf(isText),
  }),
  player_joined: exactly({ player: isText, nonce: isText }),
  player_left: exactly({ player: isText }),
  match_started: exactly({ starts_at: isInteger, nonce: isText }),
  match_finished: exactly({ results: listOf(RESULT), secret: isText }),
  rematch_opened: exactly({ match: isText }),
};

/** Whether the data of an event is that of its type. @param {import("../chain.js").Recorded} event */
export function isRaceEvent({ type, schema, data }) {
  return schema === 1 && Object.hasOwn(SHAPES, type) && SHAPES[type](data);
}
