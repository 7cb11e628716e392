/** The requests about what players say to each other: the texts of groups, and signs at games and races. */
import { request } from "./api.js";

/** @param {string} id @param {boolean} on */
export const switchTalk = (id, on) => request("PUT /groups/{id}/talk", { id }, { on });
/** @param {string} id of the group @param {string} before the id of the earliest message that is known */
export const readEarlier = (id, before) => request("GET /groups/{id}/messages", { id, before });
/** @param {string} id of the group @param {string} text */
export const writeMessage = (id, text) => request("POST /groups/{id}/messages", { id }, { text });
/** @param {string} id of the group @param {string} message */
export const removeMessage = (id, message) => request("DELETE /groups/{id}/messages/{message}", { id, message });
/** @param {"game"|"race"} kind @param {string} id */
export const readSigns = (kind, id) => (kind === "game" ? request("GET /games/{id}/signs", { id }) : request("GET /races/{id}/signs", { id }));
/** @param {"game"|"race"} kind @param {string} id @param {import("wire").Sign["sign"]} sign */
export const giveSign = (kind, id, sign) => (kind === "game" ? request("PUT /games/{id}/signs/mine", { id }, { sign }) : request("PUT /races/{id}/signs/mine", { id }, { sign }));
