/** Days, weeks and months, all in UTC and all as text: "2026-11-20", "2026-W47", "2026-11". */
import { formatDate, formatDateRange } from "./translate.js";

const DAY_MILLISECONDS = 86400000;

const startOfDay = (/** @type {string} */ day) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (/** @type {number} */ milliseconds) => new Date(milliseconds).toISOString().slice(0, 10);

/** The UTC day of a moment. @param {number} now */
export function dayAt(now) {
  return dayOf(now);
}

/** The day that is this many days later. Below zero: earlier. @param {string} day @param {number} days */
export function daysLater(day, days) {
  return dayOf(startOfDay(day) + days * DAY_MILLISECONDS);
}

/** The day of the week; Monday is 0. @param {string} day */
export function weekday(day) {
  return (new Date(startOfDay(day)).getUTCDay() + 6) % 7;
}

/** The ISO week of a day: "2026-W47". A week belongs to the year of its Thursday. @param {string} day */
export function weekOf(day) {
  const thursday = daysLater(day, 3 - weekday(day));
  const first = `${thursday.slice(0, 4)}-01-01`;
  const number = Math.floor((startOfDay(thursday) - startOfDay(first)) / DAY_MILLISECONDS / 7) + 1;
  return `${thursday.slice(0, 4)}-W${String(number).padStart(2, "0")}`;
}

/** The Monday of an ISO week. @param {string} week */
export function mondayOf(week) {
  const [year, number] = week.split("-W");
  const inFirst = `${year}-01-04`;
  return daysLater(inFirst, (Number(number) - 1) * 7 - weekday(inFirst));
}

/** The month of a day. @param {string} day */
export function monthOf(day) {
  return day.slice(0, 7);
}

/** The month that is this many months later. Below zero: earlier. @param {string} month @param {number} months */
export function monthsLater(month, months) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** Every day of a month, in order. @param {string} month */
export function daysOfMonth(month) {
  const days = [];
  for (let day = `${month}-01`; monthOf(day) === month; day = daysLater(day, 1)) days.push(day);
  return days;
}

/** "November 2026". @param {string} month */
export function monthWords(month) {
  return formatDate(startOfDay(`${month}-01`), { month: "long", year: "numeric", timeZone: "UTC" });
}

/** The day on which a week begins: "16 Nov". @param {string} week */
export function weekStartWords(week) {
  return formatDate(startOfDay(mondayOf(week)), { day: "numeric", month: "short", timeZone: "UTC" });
}

/** "16–22 November 2026". @param {string} week */
export function weekWords(week) {
  const monday = mondayOf(week);
  const sunday = daysLater(monday, 6);
  return formatDateRange(startOfDay(monday), startOfDay(sunday), { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
}
