/**
 * `node verify.mjs RECORD [RULES [KEPT]]`: checks a record as the audit page does, without a server.
 *
 * RULES is a file with the server's answer at /api/v1/rules/<game>. Without it deal, shuffles and effects are not checked. KEPT is
 * another record of the same game, which somebody has kept: a record that was cut, or is another one, is then broken.
 *
 * The answer is one JSON object. `consistent` says whether nothing is wrong with what was checked; `not_checked` names what needs
 * the rules of the game, and `not_shown` what no consistent record shows (docs/record.md). The exit code is 0 if nothing is wrong,
 * 1 if something is, and 2 if a file is missing.
 */
import { readFileSync } from "node:fs";

import { compareWithKept } from "./kept.js";
import { InvalidRecord, readRecord } from "./record.js";
import { NOT_CHECKED, notShown, verify } from "./verify.js";

/**
 * @param {Buffer} record
 * @param {Buffer|null} rules
 * @param {Buffer|null} kept
 * @returns {{consistent: boolean}}
 */
function answer(record, rules, kept) {
  try {
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

const [path, rules, kept] = process.argv.slice(2);
const files = path === undefined ? null : readFiles([path, rules, kept]);
if (!files?.[0]) {
  process.stderr.write("usage: node verify.mjs RECORD [RULES [KEPT]]\n");
  process.exitCode = 2;
} else {
  const found = answer(files[0], files[1], files[2]);
  process.stdout.write(`${printable(found)}\n`);
  process.exitCode = found.consistent ? 0 : 1;
}
