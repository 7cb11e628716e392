/**
 * `node verify.mjs RECORD [RULES]`: proves or refutes a record as the audit page does, offline.
 *
 * RULES is a file with what the server answers at /api/v1/rules/<game>; without it deal, shuffles and effects stay open. The
 * verdict is one JSON object; the exit code is 0 where nothing is wrong, 1 where something is, 2 without a file.
 */
import { readFileSync } from "node:fs";

import { NoRecord, readRecord } from "./record.js";
import { verify } from "./verify.js";

/** @param {string} path @param {string} [rules] @returns {object} */
function verdict(path, rules) {
  try {
    const record = readRecord(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
    const { checks, findings } = verify(record, rules ? JSON.parse(readFileSync(rules, "utf8")) : null);
    return { proven: findings.length === 0, checks, findings };
  } catch (problem) {
    if (!(problem instanceof NoRecord || problem instanceof TypeError)) throw problem;
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
