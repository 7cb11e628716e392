/** The requests about evenings, ratings and seasons. */
import { request } from "../net/api.js";

/**
 * @import { ChangeEvening, NewEvening, NewMatch, NewObjection, Ruling, SeasonSettings } from "wire"
 * @typedef {"all" | "gentle" | "steady" | "stern"} Pool
 */

export const listEvenings = () => request("GET /evenings");
/** @param {NewEvening} wanted */
export const makeEvening = (wanted) => request("POST /evenings", {}, wanted);
/** @param {string} code */
export const findEvening = (code) => request("GET /evenings/codes/{code}", { code: code.toUpperCase() });
/** @param {string} id @param {string} [entrants] the tag of those that are known: they are left out while they are the same */
export const readEvening = (id, entrants) => request("GET /evenings/{id}", entrants ? { id, entrants } : { id });
/** @param {string} id */
export const readStanding = (id) => request("GET /evenings/{id}/standing", { id });
/** @param {string} id @param {number} round */
export const readRound = (id, round) => request("GET /evenings/{id}/rounds/{round}", { id, round: String(round) });
/** The runs of a player in an arena. @param {string} id @param {string} player */
export const readArenaSheet = (id, player) => request("GET /evenings/{id}/arena/players/{player}", { id, player });
/** @param {string} id @param {string} [name] the name of a guest @param {string} [team] */
export const enterEvening = (id, name, team) => request("PUT /evenings/{id}/entrants/me", { id }, { name, team });
/** @param {string} id @param {string} player @param {string} [team] none without one */
export const assignTeam = (id, player, team) => request("PUT /evenings/{id}/entrants/{player}/team", { id, player }, { team });
/** @param {string} id */
export const leaveEvening = (id) => request("DELETE /evenings/{id}/entrants/me", { id });
/** Open the deal of the open round, or go on with it. @param {string} id */
export const openDeal = (id) => request("POST /evenings/{id}/games", { id });
/** @param {string} id @param {NewObjection} wanted */
export const objectToEvening = (id, wanted) => request("POST /evenings/{id}/objections", { id }, wanted);
/** The reader's virtual evening. @param {string} id of the evening */
export const readVirtual = (id) => request("GET /evenings/{id}/virtual", { id });
/** @param {string} id */
export const beginVirtual = (id) => request("POST /evenings/{id}/virtual", { id });
/** @param {string} id */
export const openVirtualDeal = (id) => request("POST /evenings/{id}/virtual/games", { id });
/** @param {string} id @param {Ruling} ruling */
export const ruleEvening = (id, ruling) => request("POST /evenings/{id}/rulings", { id }, ruling);
export const listMatches = () => request("GET /matches");
/** @param {NewMatch} wanted */
export const makeMatch = (wanted) => request("POST /matches", {}, wanted);
/** @param {string} id of a player */
export const readForm = (id) => request("GET /players/{id}/form", { id });
/** @param {Pool} pool @param {number} bots 1 for bots */
export const listRatings = (pool, bots) => request("GET /ratings", { pool, bots });
export const listSeasons = () => request("GET /seasons");
/** @param {string} id */
export const readSeason = (id) => request("GET /seasons/{id}", { id });
/** @param {string} id */
export const leaveSeason = (id) => request("DELETE /seasons/{id}/members/me", { id });
/** @param {SeasonSettings} wanted */
export const changeSeasons = (wanted) => request("PUT /house/seasons", {}, wanted);
/** @param {string} id of the group */
export const listGroupSeasons = (id) => request("GET /groups/{id}/seasons", { id });
/** @param {string} id of the group @param {SeasonSettings} wanted */
export const changeGroupSeasons = (id, wanted) => request("PUT /groups/{id}/seasons", { id }, wanted);
