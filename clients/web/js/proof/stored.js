/** Compares a record with what somebody has kept of the same game: a record that was cut is consistent in itself. */

/** @typedef {import("./record.js").GameRecord} GameRecord */

/**
 * The report with one check more: whether the record is the kept one. A kept record that ends earlier leaves the check open.
 * @param {import("./verify.js").Report} report
 * @param {GameRecord} kept of the same game
 * @returns {import("./verify.js").Report}
 */
export function compareWithKept(report, kept) {
  const [ours, theirs] = [report.record.events, kept.events].map((events) => events.map(({ hash }) => hash));
  const place = theirs.findIndex((hash, index) => hash !== ours[index]);
  if (place < 0) {
    return { ...report, checks: { ...report.checks, kept: ours.length === theirs.length ? "holds" : "open" } };
  }
  const reason = place < ours.length ? "other" : "cut";
  /** @type {import("./verify.js").Finding} */
  const finding = { version: place + 1, check: "kept", reason, expected: theirs[place], found: ours[place] };
  const findings = [...report.findings, finding].sort((one, other) => one.version - other.version);
  return { ...report, findings, checks: { ...report.checks, kept: "broken" } };
}
