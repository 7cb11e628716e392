/** The end of a game: what its last events say of moves and times must follow from those before. */

/** Of a wait between two events so much counts as playing, in milliseconds. */
const LONGEST_THOUGHT = 60000;

/** The shape of all events so far. */
const SCHEMA = 1;

const RESULTS = ["won", "lost", "resigned", "out_of_time"];

/** The events that a game may have until it is finished. */
const UNDER_WAY = ["move_played", "move_taken_back", "challenge_spoiled", "game_finished"];

/**
 * Hold order, counts and times of a game's events against each other. Score and points only the rules can tell.
 * @param {import("./record.js").GameRecord} record
 * @param {import("./verify.js").Find} find
 */
export function checkEnd({ secret, events }, find) {
  if (events.length === 0) return find(0, "end", "empty");
  const [first] = events;
  if (first.type !== "game_dealt") find(1, "end", "beginning", "game_dealt", first.type);
  const casual = !first.data.day && !first.data.match;
  let [finished, spoiled, moves, active] = [0, false, 0, 0];
  events.forEach(({ schema }, index) => {
    if (schema !== SCHEMA) find(index + 1, "end", "schema", String(SCHEMA), String(schema));
  });
  events.slice(1).forEach(({ type, data, recorded_at: at }, index) => {
    const version = index + 2;
    active += Math.min(at - events[index].recorded_at, LONGEST_THOUGHT);
    if (type === "deal_revealed") {
      if (!casual || finished !== version - 1) find(version, "end", "order", undefined, type);
      if (data.secret !== secret) find(version, "end", "secret", secret, String(data.secret));
      return;
    }
    const late = finished > 0 || (type === "challenge_spoiled" && (spoiled || !first.data.ranked));
    if (!UNDER_WAY.includes(type) || late) find(version, "end", "order", undefined, type);
    spoiled ||= type === "challenge_spoiled";
    if (type === "move_played") moves += 1;
    if (type !== "game_finished") return;
    finished = version;
    const expected = { moves, milliseconds: at - first.recorded_at, active };
    for (const [name, value] of Object.entries(expected)) {
      if (data[name] !== value) find(version, "end", name, String(value), String(data[name]));
    }
    const timed = data.result === "out_of_time" && !first.data.match;
    if (!RESULTS.includes(data.result) || timed) find(version, "end", "result", undefined, String(data.result));
  });
  if (finished && casual && events.length === finished) find(finished + 1, "end", "missing", "deal_revealed");
}
