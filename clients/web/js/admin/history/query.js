/** What somebody asks of the history: from the fields of the form to the query of an address. */

/** @typedef {"game"|"day"|"race"|"player"|"hash"} About */
/** @typedef {{kind: About, value: string, type: string, from: string, until: string}} Fields days as 2026-11-20, or nothing */

const MILLISECONDS_PER_DAY = 24 * 3600 * 1000;

/** The types of events that can be asked for, in the order in which they happen. */
export const EVENT_TYPES = [
  "game_dealt", "move_played", "move_taken_back", "challenge_spoiled", "game_finished", "deal_revealed", "daily_announced", "daily_drawn",
  "daily_opened", "daily_closed", "match_opened", "player_joined", "player_left", "match_started", "match_finished",
];

/**
 * The query; null as long as it does not say about what. A whole address, such as that of a replay, is taken by its last part.
 * @param {Fields} fields @returns {{about: string, type?: string, since?: string, until?: string}|null}
 */
export function queryOf({ kind, value, type, from, until }) {
  const name = value.trim().split(/[?#]/)[0].replace(/\/+$/, "").split("/").pop() ?? "";
  if (!name) return null;
  return {
    about: `${kind}/${kind === "hash" ? name.toLowerCase() : name}`,
    ...(type && { type }),
    ...(from && { since: String(Date.parse(from)) }),
    ...(until && { until: String(Date.parse(until) + MILLISECONDS_PER_DAY) }),
  };
}

/** The address of the file with all events that fit. @param {Record<string, string>} query */
export const downloadAddress = (query) => `/api/v1/house/events/download?${new URLSearchParams(query)}`;
