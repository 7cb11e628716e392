/**
 * The requests about reports: one's own, and those that hosts and moderators settle.
 *
 * @import { NewReport, Settle } from "wire"
 */
import { request } from "./api.js";

export const readMyReports = () => request("GET /reports").then(({ reports }) => reports);
/** @param {string} id of the game @param {NewReport} report */
export const reportRun = (id, report) => request("PUT /reports/runs/{id}", { id }, report);
/** @param {string} id of the player @param {NewReport} report */
export const reportPlayer = (id, report) => request("PUT /reports/players/{id}", { id }, report);
/** @param {string} id of the message @param {NewReport} report */
export const reportMessage = (id, report) => request("PUT /reports/messages/{id}", { id }, report);
/** How many reports wait, and of which days something was found. */
export const readWaiting = () => request("GET /house/waiting");
/** @param {string} day */
export const readFindings = (day) => request("GET /house/findings/{day}", { day });
/** @param {boolean} settled @param {number} offset @param {number} limit */
export const listReports = (settled, offset, limit) => request("GET /house/reports", { settled: settled ? 1 : 0, offset, limit });
/** @param {string} id @param {Settle} settled */
export const settleReport = (id, settled) => request("PUT /house/reports/{id}", { id }, settled);
