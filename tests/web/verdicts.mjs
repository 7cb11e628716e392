/** Answers each line of standard input, `{"record": "<a file's text>", "rules": {…}}`, with the web client's verdict on it. */
import { createInterface } from "node:readline";

import { FORMAT, readDay, verifyDay } from "../../clients/web/js/proof/day.js";
import { InvalidRecord, readRecord } from "../../clients/web/js/proof/record.js";
import { verify } from "../../clients/web/js/proof/verify.js";

function verdict({ record, rules }) {
  try {
    const { checks, findings } = record.includes(`"${FORMAT}"`) ? verifyDay(readDay(record), [rules]) : verify(readRecord(record), rules);
    return { consistent: findings.length === 0, broken_at: findings[0]?.version ?? null, checks };
  } catch (problem) {
    if (!(problem instanceof InvalidRecord)) throw problem;
    return { consistent: false, broken_at: 0, checks: {} };
  }
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(verdict(JSON.parse(line))));
