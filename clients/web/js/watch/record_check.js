/**
 * Records and the keys of this server, and the check of a record by this browser.
 *
 * @import { RulesPage } from "wire"
 * @import { GameRecord } from "../proof/record.js"
 * @import { Report } from "../proof/verify.js"
 * @import { Attestation } from "../transparency/attest.js"
 * @typedef {{report: Report, rules: RulesPage|null, attestation: Attestation|null}} Checked `rules` are null if this server does not have them
 */
import { t } from "../language/translate.js";
import { readRules, recordAddress, Refusal } from "../net/api.js";
import { shown } from "../proof/end.js";
import { compareWithKept } from "../proof/stored.js";
import { InvalidRecord, readRecord } from "../proof/record.js";
import { checkBeacon, verify } from "../proof/verify.js";
import { attest, trustIn } from "../transparency/attest.js";

/**
 * Check a record with the rules and the keys of this server. Throws Refusal.
 * @param {GameRecord} record
 * @param {{compare?: boolean, keepSteps?: boolean}} [how] whether it is compared with what the server has of the game, and whether the report has all positions
 * @returns {Promise<Checked>}
 */
export async function checkRecord(record, { compare = false, keepSteps = true } = {}) {
  const rules = await readKnownRules(shown(record.events[0]?.data.game ?? "-"));
  const alone = await checkBeacon(verify(record, rules, keepSteps));
  const kept = compare ? await readKept(record.game) : null;
  return { rules, ...await attest(kept ? compareWithKept(alone, kept) : alone, await readTrust()) };
}

/** The bytes of the record of a game. Throws Refusal. @param {string} game */
export async function downloadRecord(game) {
  let answer;
  try {
    answer = await fetch(recordAddress(game));
  } catch {
    throw new Refusal({ code: "offline", message: t("common.unreachable") });
  }
  if (!answer.ok) throw new Refusal(await answer.json().catch(() => ({})));
  return answer.arrayBuffer();
}

/** The keys that this server names as its own and its witnesses'; none if it has no log. */
export async function readTrust() {
  const answer = await fetch("/.well-known/cadogan.json").catch(() => null);
  return trustIn(answer?.ok ? await answer.json() : null);
}

/** The rules of a game; null for rules that this server does not have: some checks are then left out. Throws Refusal. @param {string} slug */
export async function readKnownRules(slug) {
  try {
    return await readRules(slug);
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.code === "not_found") return null;
    throw refusal;
  }
}

/** The record that this server has of a game; null if it has none that it may show. @param {string} game */
export async function readKept(game) {
  try {
    return readRecord(await downloadRecord(game));
  } catch (refusal) {
    if (refusal instanceof Refusal || refusal instanceof InvalidRecord) return null;
    throw refusal;
  }
}
