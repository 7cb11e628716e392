/** Answers each line of standard input, `{"record": "<a file's text>", "rules": {…}}`, with the web client's verdict on it. */
import { createInterface } from "node:readline";

import { FORMAT, readDay, verifyDay } from "../../clients/web/js/proof/day.js";
import { FORMAT as EVENING_FORMAT, readEvening, verifyEvening } from "../../clients/web/js/proof/evening/evening.js";
import { FORMAT as RACE_FORMAT, readRace, verifyRace } from "../../clients/web/js/proof/race.js";
import { InvalidRecord, readRecord } from "../../clients/web/js/proof/record.js";
import { checkBeacon, verify } from "../../clients/web/js/proof/verify.js";
import { attest, attestDay, attestEvening, attestRace, trustIn } from "../../clients/web/js/transparency/attest.js";

async function verdict({ record, rules, host = {}, runs = [] }) {
  try {
    if (record.includes(`"${FORMAT}"`)) {
      const day = readDay(record);
      const { report, attestation, dated } = await attestDay(await verifyDay(day, rules ? [rules] : []), day, trustIn(host));
      return { ...said(report), ...attested(attestation), ...datedBy(dated) };
    }
    if (record.includes(`"${EVENING_FORMAT}"`)) {
      const evening = readEvening(record);
      const reports = await Promise.all(runs.map(async (run) => checkBeacon(verify(readRecord(run), null, false))));
      const { report, attestation, dated } = await attestEvening(await verifyEvening(evening, reports), evening, trustIn(host));
      return { ...said(report), ...attested(attestation), ...datedBy(dated) };
    }
    if (record.includes(`"${RACE_FORMAT}"`)) {
      const race = readRace(record);
      const { report, attestation } = await attestRace(verifyRace(race), race, trustIn(host));
      return { ...said(report), ...attested(attestation) };
    }
    const { report, attestation } = await attest(await checkBeacon(verify(readRecord(record), rules)), trustIn(host));
    return { ...said(report), ...attested(attestation) };
  } catch (problem) {
    if (!(problem instanceof InvalidRecord)) throw problem;
    return { consistent: false, broken_at: 0, checks: {} };
  }
}

const said = ({ checks, findings }) => ({ consistent: findings.length === 0, broken_at: findings[0]?.version ?? null, checks });

function attested(attestation) {
  const { key, witnesses } = attestation ?? { key: null, witnesses: [] };
  return { attested: key !== null, witnessed: witnesses.map(({ name }) => name) };
}

const datedBy = (dated) => ({ dated: (dated?.witnesses ?? []).map(({ name }) => name) });

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await verdict(JSON.parse(line))));
