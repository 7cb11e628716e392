/** A badge with the length of a streak, which changes its colour with the weeks. */
import { element } from "../ui/dom.js";

/** The least days of each kind of badge, the best kind first. @type {[string, number][]} */
const KINDS = [["gold", 30], ["silver", 7], ["bronze", 2]];

/** The kind of badge for so many days in a row; none for less than two. @param {number} days */
export function badgeKind(days) {
  return KINDS.find(([, least]) => days >= least)?.[0] ?? null;
}

/** The badge, which says nothing that is not in words beside it; null for less than two days. @param {number} days */
export function makeStreakBadge(days) {
  const kind = badgeKind(days);
  return kind ? element("span", { class: `streak-badge ${kind}`, "aria-hidden": "true" }, String(days)) : null;
}
