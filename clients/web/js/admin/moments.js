/** Moments on the pages of hosts: the day and the time. */
import { formatDate } from "../language/translate.js";

/** @param {number} moment */
export const momentWords = (moment) => formatDate(moment, { dateStyle: "medium", timeStyle: "short" });
