/**
 * The records of an archive, each checked as if it stood alone.
 *
 * @import { Finding, Rules } from "../verify.js"
 * @import { Attestation, Trust } from "../../transparency/attest.js"
 * @typedef {{game: string, findings: Finding[], attestation: Attestation|null, lacksBeacon: boolean}} CheckedGame `lacksBeacon`: the signature of its beacon could not be verified here
 */
import { attest } from "../../transparency/attest.js";
import { readRecord } from "../record.js";
import { checkBeacon, verify } from "../verify.js";

/**
 * Check records, one after another.
 * @param {string[]} texts as `readArchive` returns them
 * @param {(slug: string) => Promise<Rules|null>} rulesOf the rules of a game; without them some checks are left out
 * @param {Trust} trust
 * @returns {AsyncGenerator<CheckedGame>}
 * @throws {InvalidRecord}
 */
export async function* checkRecords(texts, rulesOf, trust) {
  for (const text of texts) {
    const record = readRecord(text);
    const dealt = /** @type {{game?: string, rules_version?: number}} */ (record.events[0]?.data ?? {});
    const rules = typeof dealt.game === "string" ? await rulesOf(dealt.game) : null;
    const fitting = rules?.rules_version === dealt.rules_version ? rules : null;
    const { report, attestation } = await attest(await checkBeacon(verify(record, fitting, false)), trust);
    yield { game: record.game, findings: report.findings, attestation, lacksBeacon: report.checks.beacon === "open" };
  }
}

/** How many games have a proof that a trusted host has signed, and how many of these a trusted witness. @param {CheckedGame[]} games */
export function countAttested(games) {
  const attested = games.filter(({ attestation }) => attestation?.key);
  return { attested: attested.length, witnessed: attested.filter(({ attestation }) => attestation?.witnesses.length).length };
}
