/**
 * `node verify.mjs RECORD [RULES [KEPT]]`: checks a record as the audit page does, without a server.
 *
 * RULES is a file with the server's answer at /api/v1/rules/<game>. Without it deal, shuffles and effects are not checked. KEPT is
 * another record of the same game, which somebody has kept: a record that was cut, or is another one, is then broken.
 *
 * `node verify.mjs DAY [RULES...]`: checks the record of a day, with the rules of the games whose deals are certified, in any order.
 *
 * The answer is one JSON object. `consistent` says whether nothing is wrong with what was checked; `not_checked` names what needs
 * the rules of the game, and `not_shown` what no consistent record shows (docs/record.md). The exit code is 0 if nothing is wrong,
 * 1 if something is, and 2 if a file is missing.
 */
import { readFileSync } from "node:fs";

import { FORMAT, NOT_CHECKED as DAY_NOT_CHECKED, readDay, verifyDay } from "./day.js";
import { compareWithKept } from "./kept.js";
import { InvalidRecord, readFile, readRecord } from "./record.js";
import { NOT_CHECKED, notShown, verify } from "./verify.js";

/**
 * @param {Buffer} record
 * @param {(Buffer|null)[]} others
 * @returns {{consistent: boolean}}
 */
function answer(record, [rules, kept, ...more]) {
  try {
    if (isDay(record)) return answerDay(record, [rules, kept, ...more]);
    const alone = verify(readRecord(record), rules && JSON.parse(rules.toString()), false);
    const report = kept ? compareWithKept(alone, readRecord(kept)) : alone;
    const { checks, findings } = report;
    return { consistent: findings.length === 0, checks, findings, not_checked: NOT_CHECKED, not_shown: notShown(report) };
  } catch (problem) {
    if (!(problem instanceof InvalidRecord || problem instanceof TypeError || problem instanceof SyntaxError)) throw problem;
    const finding = { version: 0, check: "record", reason: "unreadable", found: problem.message };
    return { consistent: false, checks: {}, findings: [finding], not_checked: NOT_CHECKED, not_shown: [] };
  }
}

/** Whether the file claims to be the record of a day. @param {Buffer} record */
function isDay(record) {
  try {
    return readFile(record, FORMAT) !== null;
  } catch (problem) {
    if (!(problem instanceof InvalidRecord)) throw problem;
    return false;
  }
}

/** @param {Buffer} record @param {(Buffer|null)[]} rules */
function answerDay(record, rules) {
  const { checks, findings, certificates } = verifyDay(readDay(record), rules.filter((one) => one).map((one) => JSON.parse(String(one))));
  const certified = certificates.map(({ deal, candidate }) => ({ deal, candidate }));
  return { consistent: findings.length === 0, checks, findings, certified, not_checked: DAY_NOT_CHECKED };
}

/** JSON in which every character that is not ASCII is escaped, so that nothing in it commands a terminal. @param {unknown} value */
function printable(value) {
  return JSON.stringify(value, null, 1).replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The bytes of files; null for one that is not given. @param {(string|undefined)[]} paths */
function readFiles(paths) {
  try {
    return paths.map((path) => (path === undefined ? null : readFileSync(path)));
  } catch (problem) {
    process.stderr.write(`a file cannot be read: ${/** @type {NodeJS.ErrnoException} */ (problem).code}\n`);
    return null;
  }
}

const [path, rules, kept, ...more] = process.argv.slice(2);
const files = path === undefined ? null : readFiles([path, rules, kept, ...more]);
if (!files?.[0]) {
  process.stderr.write("usage: node verify.mjs RECORD [RULES [KEPT]], or DAY [RULES...]\n");
  process.exitCode = 2;
} else {
  const found = answer(files[0], files.slice(1));
  process.stdout.write(`${printable(found)}\n`);
  process.exitCode = found.consistent ? 0 : 1;
}
