/** The events of a day: which keys their data has in each schema. It has no others. */

import { isRound, isSignature } from "../beacon.js";
import { exactly, exactlyWith, isDigest, isInteger, isText, listOf, mapOf, orNull } from "./shapes.js";

/** @typedef {import("./shapes.js").Test} Test */

const CHAIN = exactly({ beacon_id: isText, genesis_seed: isText, genesis_time: isInteger, period: isInteger, public_key: isText });
/** @type {Test} */
const isExactRound = (value) => exactly({ chain: CHAIN, round: isInteger })(value) && isRound(value);

const DEAL = { slot: isInteger, level: isText, game: isText, deal: isText };
const ANNOUNCED = { day: isText, commitment: isText };
const CLOSED = { secret: isText, boards: mapOf(isDigest) };
const SEARCH = exactly({ solver: isInteger, budget: isInteger });
const LINE = listOf(exactly({ move: isText, effects: listOf(isText) }));
const CERTIFICATE = exactly({ deal: isText, candidate: isInteger, rules_version: isInteger, nodes: isInteger, line: LINE });

/** @type {Record<string, Test>} */
const SHAPES = {
  "daily_announced 1": exactly({ ...ANNOUNCED, deals: listOf(exactly(DEAL)) }),
  "daily_announced 2": exactlyWith({ beacon: isExactRound }, { ...ANNOUNCED, deals: listOf(exactly({ ...DEAL, search: orNull(SEARCH) })) }),
  "daily_drawn 1": exactly({ signature: orNull(isSignature) }),
  "daily_opened 1": exactly({}),
  "daily_opened 2": exactly({ certificates: mapOf(isText) }),
  "daily_closed 1": exactly(CLOSED),
  "daily_closed 2": exactlyWith({ struck: mapOf(isText) }, { ...CLOSED, certificates: listOf(CERTIFICATE) }),
};

/** Whether the data of an event is that of its type and schema. @param {import("../chain.js").Recorded} event */
export function isDayEvent({ type, schema, data }) {
  const shape = `${type} ${schema}`;
  return Object.hasOwn(SHAPES, shape) && SHAPES[shape](data);
}
