/**
 * `node verify.mjs RECORD [RULES]`: proves or refutes a record as the audit page does, without a server.
 *
 * RULES is a file with the server's answer at /api/v1/rules/<game>. Without it deal, shuffles and effects are not checked. The
 * verdict is one JSON object. The exit code is 0 if nothing is wrong, 1 if something is, and 2 without a file.
 */
import { readFileSync } from "node:fs";

import { InvalidRecord, readRecord } from "./record.js";
import { verify } from "./verify.js";

/** @param {string} path @param {string} [rules] @returns {object} */
function verdict(path, rules) {
  try {
    const record = readRecord(readFileSync(path));
    const { checks, findings } = verify(record, rules ? JSON.parse(readFileSync(rules, "utf8")) : null, false);
    return { proven: findings.length === 0, checks, findings };
  } catch (problem) {
    if (!(problem instanceof InvalidRecord || problem instanceof TypeError)) throw problem;
    return { proven: false, checks: {}, findings: [{ version: 0, check: "record", reason: "unreadable", found: problem.message }] };
  }
}

const [path, rules] = process.argv.slice(2);
if (!path) {
  process.stderr.write("usage: node verify.mjs RECORD [RULES]\n");
  process.exitCode = 2;
} else {
  const found = verdict(path, rules);
  process.stdout.write(`${JSON.stringify(found, null, 1)}\n`);
  process.exitCode = found.proven ? 0 : 1;
}
