/**
 * The requests of the pages for hosts and moderators, and of the links that they make.
 *
 * @import { ChangeRole, ChangeSchedule, Ban, Entry, Erase, SiteProfile, Mute, NewInvitation, Rename, Strike, Suspend, Why } from "wire"
 */
import { keepToken, request } from "./api.js";

/** The role of who is signed in; null for ordinary players and for nobody. */
export const readRole = () => request("GET /session").then(({ role }) => role ?? null);
/** How the reader can confirm that it is they. */
export const readWaysToConfirm = () => request("GET /session/confirmation");
/** @param {string} password */
export const confirmPassword = (password) => request("PUT /session/confirmation", {}, { password });
/** @param {string} code */
export const becomeHost = (code) => request("PUT /house/host", {}, { code });
/** @param {string} code @param {string} password */
export const regainAccess = (code, password) => request("PUT /account/access", {}, { code, password }).then(keepToken).then(({ player }) => player);

/** @param {string} name the beginning of it @param {number} offset @param {number} limit */
export const findPlayers = (name, offset, limit) => request("GET /house/players", { name, offset, limit });
/** @param {string} id @param {ChangeRole} change */
export const changeRole = (id, change) => request("PUT /house/players/{id}/role", { id }, change);
/** @param {string} id @param {Rename} change */
export const renamePlayer = (id, change) => request("PUT /house/players/{id}/name", { id }, change);
/** @param {string} id @param {Mute} change */
export const mutePlayer = (id, change) => request("PUT /house/players/{id}/mute", { id }, change);
/** @param {string} id @param {Suspend} change */
export const suspendPlayer = (id, change) => request("PUT /house/players/{id}/suspension", { id }, change);
/** @param {string} id @param {Ban} change */
export const banPlayer = (id, change) => request("PUT /house/players/{id}/ban", { id }, change);
/** @param {string} id @param {Erase} why */
export const erasePlayer = (id, why) => request("PUT /house/players/{id}/erasure", { id }, why);
/** @param {string} id @param {Why} why */
export const signOutPlayer = (id, why) => request("PUT /house/players/{id}/sessions", { id }, why);
/** @param {string} id @param {Why} why */
export const resetAccess = (id, why) => request("PUT /house/players/{id}/access", { id }, why);

/** @param {string} id of the game */
export const readRun = (id) => request("GET /house/runs/{id}", { id });
/** @param {string} id of the game @param {Strike} strike */
export const strikeRun = (id, strike) => request("PUT /house/runs/{id}/strike", { id }, strike);

export const readEntry = () => request("GET /house/entry");
/** @param {Entry} entry */
export const changeEntry = (entry) => request("PUT /house/entry", {}, entry);
export const readProfile = () => request("GET /house/profile");
/** @param {SiteProfile} profile */
export const changeProfile = (profile) => request("PUT /house/profile", {}, profile);
/** @param {string|null} image in base64 */
export const changeCrest = (image) => request("PUT /house/crest", {}, { image });
export const listInvitations = () => request("GET /house/invitations").then(({ invitations }) => invitations);
/** @param {NewInvitation} invitation */
export const invite = (invitation) => request("POST /house/invitations", {}, invitation);
/** @param {string} id */
export const endInvitation = (id) => request("DELETE /house/invitations/{id}", { id });
/** @param {{about?: string, type?: string, since?: string, until?: string, after?: string}} query */
export const browseEvents = (query) => request("GET /house/events", query);
/** @param {number} [before] only acts before the one with this number */
export const readAdminLog = (before) => request("GET /house/log", { before });

export const readSchedule = () => request("GET /house/schedule");
/** @param {ChangeSchedule} schedule */
export const changeSchedule = (schedule) => request("PUT /house/schedule", {}, schedule);
