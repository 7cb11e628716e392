/**
 * The requests about the schedule of the daily challenge, which only hosts may send.
 *
 * @import { ChangeSchedule } from "wire"
 */
import { request } from "./api.js";

export const readSchedule = () => request("GET /house/schedule");
/** @param {ChangeSchedule} schedule */
export const changeSchedule = (schedule) => request("PUT /house/schedule", {}, schedule);
