/** The requests about evenings, ratings and seasons. */
import { request } from "../net/api.js";

/**
 * @import { ChangeEvening, NewEvening, NewObjection, Ruling } from "wire"
 * @typedef {"all" | "gentle" | "steady" | "stern"} Pool
 */

export const listEvenings = () => request("GET /evenings");
/** @param {NewEvening} wanted */
export const makeEvening = (wanted) => request("POST /evenings", {}, wanted);
/** @param {string} code */
export const findEvening = (code) => request("GET /evenings/codes/{code}", { code: code.toUpperCase() });
/** @param {string} id */
export const readEvening = (id) => request("GET /evenings/{id}", { id });
/** @param {string} id */
export const readStanding = (id) => request("GET /evenings/{id}/standing", { id });
/** @param {string} id @param {number} round */
export const readRound = (id, round) => request("GET /evenings/{id}/rounds/{round}", { id, round: String(round) });
/** The runs of a player in an arena. @param {string} id @param {string} player */
export const readArenaSheet = (id, player) => request("GET /evenings/{id}/arena/players/{player}", { id, player });
/** @param {string} id @param {string} [name] the name of a guest */
export const enterEvening = (id, name) => request("PUT /evenings/{id}/entrants/me", { id }, name ? { name } : {});
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
/** @param {string} id of a player */
export const readForm = (id) => request("GET /players/{id}/form", { id });
/** @param {Pool} pool @param {number} bots 1 for bots */
export const listRatings = (pool, bots) => request("GET /ratings", { pool, bots });
export const listSeasons = () => request("GET /seasons");
/** @param {string} id */
export const readSeason = (id) => request("GET /seasons/{id}", { id });
