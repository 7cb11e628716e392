/** The events of an evening: which keys their data has. */
import { isRound, isSignature } from "../beacon.js";
import { atLeast, exactly, exactlyWith, isDigest, isInteger, isMap, isText, listOf, mapOf, orNull } from "./shapes.js";

/** @typedef {import("./shapes.js").Test} Test */

/** @type {(...words: string[]) => Test} */
const oneOf = (...words) => (value) => words.includes(value);
/** @type {Test} */
const isFlag = (value) => typeof value === "boolean";
/** A part that is left out where it is empty. @type {(test: Test) => Test} */
const notEmpty = (test) => (value) => test(value) && Object.keys(value).length > 0;
const isPair = (/** @type {any} */ value) => listOf(isInteger)(value) && value.length === 2;
/** How it is scored. */
const SETTINGS = exactly({
  kind: oneOf("duplicate", "arena"), scoring: oneOf("matchpoints", "points", "places"), time_counts: isFlag, bots: oneOf("none", "apart", "mixed"), trophy: isFlag,
  freeze: isFlag, teams: orNull(exactly({ best: isInteger })),
  final: orNull(exactly({ best: orNull(isInteger), share: orNull(isPair), rounds: orNull(isInteger), carry: oneOf("none", "half", "all") })),
});
/** @type {Test} */
const isCertificate = exactly({
  deal: isText, candidate: isInteger, rules_version: isInteger, nodes: isInteger, line: listOf(exactly({ move: isText, effects: listOf(isText) })),
});
const ROUND = exactlyWith({ search: exactly({ solver: isInteger, budget: isInteger }) }, {
  round: isInteger, stage: oneOf("first", "final"), deal: isText, game: isText, level: isText, commitment: isDigest, opens_at: isInteger, closes_at: isInteger,
});
/** Whom a match is for. @type {Test} */
const isMatch = exactlyWith({ opponent: isText, is_open: (value) => value === true, at_once: (value) => value === true }, {});
/** @type {Test} */
const isSeries = exactlyWith({ level: oneOf("gentle", "steady", "stern"), games: listOf(isText), certified: isFlag }, { id: isText, number: isInteger, time_zone: isText });
const BY = { by: isText };
const ENTRY = oneOf("all", "group", "link");

/** @type {Record<string, Test>} */
const SHAPES = {
  announced: exactlyWith({ group: isText, rated: (value) => value === false, beacon: isRound, teams: notEmpty(listOf(isText)), match: isMatch, series: isSeries }, {
    title: isText, leader: isText, entry: ENTRY, settings: SETTINGS, rounds: listOf(ROUND), entry_opens_at: isInteger, objections_minutes: isInteger,
  }),
  changed: exactlyWith({ title: isText, entry: ENTRY, times: listOf(isPair) }, {}),
  entry_opened: exactly({}),
  drawn: exactlyWith({ signature: isSignature }, {}),
  round_opened: exactlyWith({ seal: isDigest }, { round: isInteger }),
  round_closed: exactlyWith({ certificate: isCertificate }, { round: isInteger, secret: isDigest }),
  arena_opened: exactly({}),
  arena_closed: exactly({ secrets: mapOf(isDigest) }),
  ended: exactly({}),
  entrant_joined: exactlyWith({ kind: oneOf("bot"), team: isText }, { player: isText }),
  team_assigned: exactlyWith({ team: isText }, { player: isText, ...BY }),
  entrant_left: exactly({ player: isText }),
  round_extended: exactly({ round: isInteger, seconds: isInteger, ...BY }),
  round_shortened: exactly({ round: isInteger }),
  round_voided: exactly({ round: isInteger, reason: isText, ...BY }),
  outage_noted: exactlyWith({ players: listOf(isText), ...BY }, { from: isInteger, until: isInteger }),
  finalists_named: exactly({ players: mapOf(listOf(isText)) }),
  objection_raised: exactlyWith({ run: isText, round: isInteger }, { objection: isText, player: isText }),
  objection_answered: exactly({ objection: isText, answer: oneOf("upheld", "dismissed"), ...BY }),
  standing_thawed: exactly(BY),
  series_ended: exactlyWith(BY, {}),
  finalised: exactlyWith({ struck: notEmpty(listOf(isText)) }, { version: isText, digest: isDigest }),
  corrected: exactlyWith({ digest: isDigest, struck: notEmpty(listOf(isText)) }, { version: isText }),
  voided: exactlyWith({ secrets: notEmpty(mapOf(isDigest)), certificates: notEmpty(listOf(isCertificate)), ...BY }, { reason: isText }),
};

const PREFIX = "evening_";

/** The name of an event without its prefix. @param {import("../chain.js").Recorded} event */
export const kindOf = ({ type }) => (type.startsWith(PREFIX) ? type.slice(PREFIX.length) : "");

/** Whether the data of an event is that of its type. @param {import("../chain.js").Recorded} event */
export function isEveningEvent(event) {
  const kind = kindOf(event);
  return event.schema === 1 && Object.hasOwn(SHAPES, kind) && SHAPES[kind](event.data);
}

/** Whether a value is a standing as a record has it. @type {Test} */
export const isStanding = atLeast({ evening: isText, version: isText, state: isText, standings: listOf(isMap), teams: () => true });
