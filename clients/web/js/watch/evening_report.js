/**
 * The check of an evening's record on the page, with the records of its runs: those that were chosen beside it, or that this server shows.
 *
 * @import { Report } from "../proof/verify.js"
 * @import { EveningRecord, EveningReport } from "../proof/evening/evening.js"
 */
import { hasText, t, tNodes } from "../language/translate.js";
import { readEvening, verifyEvening } from "../proof/evening/evening.js";
import { InvalidRecord, readRecord } from "../proof/record.js";
import { verify } from "../proof/verify.js";
import { attestEvening } from "../transparency/attest.js";
import { element } from "../ui/dom.js";
import { attestedWords, datedWords, SIGNS } from "./audit_report.js";
import { readKept, readKnownRules, readTrust } from "./record_check.js";

/** So many records are asked of the server; of a larger evening choose the files. */
const MOST_DOWNLOADED = 200;
const MOST_LISTED = 20;

/**
 * Check an evening. Throws Refusal.
 * @param {ArrayBuffer} file
 * @param {ArrayBuffer[]} others the files that were chosen beside it; those that are no records of games are passed over
 * @param {(done: number, all: number) => void} progress
 * @returns {Promise<HTMLElement>}
 */
export async function checkEvening(file, others, progress) {
  try {
    const record = readEvening(file);
    const runs = await readRuns(record, others, progress);
    const { report, attestation, dated } = await attestEvening(await verifyEvening(record, runs), record, await readTrust());
    return makeReport(record, report, [...attestedWords(attestation), ...datedWords(dated)]);
  } catch (problem) {
    if (!(problem instanceof InvalidRecord)) throw problem;
    return element("p", { class: "problem", role: "alert" }, t("audit.no_record", { place: problem.place }));
  }
}

/** @param {EveningRecord} record @param {ArrayBuffer[]} others @param {(done: number, all: number) => void} progress */
async function readRuns({ runs: named }, others, progress) {
  const given = new Map(others.map(tryRead).flatMap((one) => (one ? [[one.game, one]] : [])));
  const strangers = [...given.keys()].filter((game) => !named.includes(game));
  /** @type {Report[]} */
  const reports = [];
  let asked = 0;
  for (const [done, game] of [...named, ...strangers].entries()) {
    progress(done, named.length + strangers.length);
    const found = given.get(game) ?? (asked++ < MOST_DOWNLOADED ? await readKept(game) : null);
    if (found) reports.push(verify(found, await readKnownRules(String(found.events[0]?.data.game ?? "-")), false));
  }
  return reports;
}

/** The record of a game in a file; null if it is none. @param {ArrayBuffer} file */
function tryRead(file) {
  try {
    return readRecord(file);
  } catch (problem) {
    if (problem instanceof InvalidRecord) return null;
    throw problem;
  }
}

/** @param {EveningRecord} record @param {EveningReport} report @param {string[]} attested */
function makeReport({ evening, events, runs }, { checks, findings, missing }, attested) {
  const state = findings.length ? "broken" : "holds";
  return element("section", { class: `panel verdict ${state}`, role: "status" },
    element("h2", {}, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]), " ", t(`audit.verdict_${state}`)),
    element("p", {}, t("audit.evening_of", { title: String(events[0]?.data.title ?? evening), count: runs.length })),
    !findings.length && attested.map((words) => element("p", { class: "attested" }, words)),
    element("ul", { class: "checks" }, Object.entries(checks).map(([name, one]) => element("li", { class: one },
      element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[one]),
      element("div", {}, element("strong", {}, t(`audit.check_${name}`)), " ", element("span", { class: "state" }, t(`audit.state_${one}`)))))),
    findings.length > 0 && element("ol", { class: "findings" }, findings.slice(0, MOST_LISTED).map(findingItem)),
    missing.length > 0 && element("p", {}, t("audit.evening_missing", { count: missing.length })),
    element("p", { class: "fine" }, ...tNodes("audit.evening_standing", { command: element("code", {}, `cadogan recompute ${evening} --from FOLDER`) })));
}

/** @param {import("../proof/verify.js").Finding} finding */
function findingItem({ version, check, reason, expected, found }) {
  const own = `audit.found_${check}_${reason}`;
  const value = (/** @type {string} */ name, /** @type {string|undefined} */ text) => (text === undefined ? []
    : [element("dt", {}, t(`audit.${name}`)), element("dd", {}, element("code", {}, text))]);
  return element("li", {}, element("strong", {}, version ? t("audit.at_event", { version }) : t("audit.at_head")), " ",
    t(hasText(own) ? own : `audit.evening_${check}`), element("dl", { class: "facts" }, value("expected", expected), value("found", found)));
}
