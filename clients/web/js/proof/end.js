/** Checks the order of a game's events, and its end: what it says about moves and times must follow from the events before. */
import { dayBegins } from "./beacon.js";
import { firstWrongKey, isKnownEvent } from "./event_data.js";

/** At most so much of the time between two events counts as active. */
const MAX_ACTIVE_MILLISECONDS = 60000;

const DAY_MILLISECONDS = 86400000;

/** Without an event for so long, a game without another limit may be ended. */
const IDLE_MILLISECONDS = 30 * DAY_MILLISECONDS;

/** The schema of all events so far. */
const SCHEMA = 1;

/** The events that a game may have after its deal, until it is finished. */
const EVENTS_UNTIL_END = ["move_played", "move_taken_back", "challenge_spoiled", "game_finished"];

/** The results that come at once with the event before them. */
const BY_ITSELF = ["won", "lost"];

/** Whether its competition may end a game at any time: a race, or one whose rules are not known here. @param {Record<string, any>} dealt */
const mayEndOnTime = ({ day, match, competition }) => day === null && (match !== null || (competition !== undefined && competition !== "puzzle"));

/** Whether its own end reveals the secret: of a casual game and a try at a puzzle; null if its rules are not known here. @param {Record<string, any>} dealt */
function revealsSecret({ day, match, competition = "puzzle" }) {
  if (day !== null || match !== null || ["evening", "virtual"].includes(competition)) return false;
  return competition === "puzzle" ? true : null;
}

/** The end of the day whose close may end a ranked run, in milliseconds since 1970; NaN for other games. @param {Record<string, any>} dealt */
const endOfDay = ({ day, ranked }) => (ranked && day !== null ? (dayBegins(day) ?? NaN) + DAY_MILLISECONDS : NaN);

/**
 * Check the order, the counts and the times of a game's events. Score and points are not checked: this needs the rules.
 * @param {import("./record.js").GameRecord} record
 * @param {import("./verify.js").Find} find
 */
export function checkEnd({ secret, events }, find) {
  if (events.length === 0) return find(0, "end", "empty");
  const [first] = events;
  if (first.type !== "game_dealt") find(1, "end", "beginning", "game_dealt", first.type);
  const { day } = first.data, reveals = revealsSecret(first.data);
  let [finished, spoiled, moves, active] = [0, false, 0, 0];
  events.forEach(({ type, schema, data }, index) => {
    if (schema !== SCHEMA) find(index + 1, "end", "schema", String(SCHEMA), String(schema));
    const wrong = isKnownEvent(type) ? firstWrongKey(type, data) : null;
    if (wrong !== null) find(index + 1, "end", "data", undefined, wrong);
  });
  events.slice(1).forEach(({ type, data, recorded_at: at }, index) => {
    const version = index + 2;
    active += Math.min(at - events[index].recorded_at, MAX_ACTIVE_MILLISECONDS);
    const comesByItself = type === "deal_revealed" || (type === "game_finished" && BY_ITSELF.includes(data.result));
    if (comesByItself && at !== events[index].recorded_at) {
      find(version, "end", "together", String(events[index].recorded_at), String(at));
    }
    if (type === "deal_revealed") {
      if (reveals === false || finished !== version - 1) find(version, "end", "order", undefined, type);
      if (data.secret !== secret) find(version, "end", "secret", secret, shown(data.secret));
      return;
    }
    const late = finished > 0 || (type === "challenge_spoiled" && (spoiled || !first.data.ranked));
    if (!EVENTS_UNTIL_END.includes(type) || late) find(version, "end", "order", undefined, type);
    if (type === "challenge_spoiled") {
      spoiled = true;
      for (const name of ["player", "deal"]) {
        if (data[name] !== first.data[name]) find(version, "end", "spoiler", shown(first.data[name]), shown(data[name]));
      }
    }
    if (type === "move_played") moves += 1;
    if (type !== "game_finished") return;
    finished = version;
    const expected = { moves, milliseconds: at - first.recorded_at, active };
    for (const [name, value] of Object.entries(expected)) {
      if (data[name] !== value) find(version, "end", name, String(value), shown(data[name]));
    }
    const isUnplayed = data.result === "resigned" && moves === 0 && first.data.ranked && !spoiled;
    const isTimeUp = data.result === "out_of_time";
    const mayBeIdle = reveals === true || (day !== null && (!first.data.ranked || spoiled));
    const isIdle = mayBeIdle && at >= events[index].recorded_at + IDLE_MILLISECONDS;
    const isLeft = isTimeUp && (isIdle || (!spoiled && at >= endOfDay(first.data)));
    if (data.counts === false && !isUnplayed && !isLeft) find(version, "end", "counts", undefined, "false");
    if (isLeft && data.counts !== false) find(version, "end", "counts", "false", shown(data.counts));
    if (isTimeUp && !isLeft && !mayEndOnTime(first.data)) find(version, "end", "result", undefined, data.result);
  });
  if (finished && reveals === true && events.length === finished) find(finished + 1, "end", "missing", "deal_revealed");
}

/** What a record says, as text, whatever it is. @param {unknown} value @returns {string} */
export const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value) ?? "");
