/**
 * What was checked of a finished game and by whom, in a line, and a button to check it again in this browser.
 *
 * @import { LogEntry } from "wire"
 * @import { Attestation } from "../transparency/attest.js"
 */
import { logWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { languageTag, t } from "../language/translate.js";
import { readAttestation, Refusal } from "../net/api.js";
import { InvalidRecord, readRecord } from "../proof/record.js";
import { button, element, link } from "../ui/dom.js";
import { attestedWords, verdictState } from "./audit_report.js";
import { checkRecord, downloadRecord } from "./record_check.js";

/**
 * @param {string} game
 * @returns {Promise<HTMLElement|null>} null as long as its record is secret
 */
export async function makeRunCheck(game) {
  const said = await readAttestation(game).catch(() => null);
  if (!said) return null;
  const line = element("p", { class: "line", role: "status" }, t("check.by_server"), " ", entryWords(said.entry));
  const again = button(t("check.again"), async () => {
    line.replaceChildren(t("audit.checking"));
    line.replaceChildren(...(await checkHere(game)).flatMap((words) => [words, " "]));
  }, "button small");
  return element("section", { class: "run-check", "aria-label": t("check.title") }, line,
    element("p", { class: "actions" }, again, link(`/audit/${game}`, t("check.details"))));
}

/** What the server says of the log, in words. @param {LogEntry} [entry] */
function entryWords(entry) {
  if (!entry) return t("check.not_logged");
  const { number, size, origin, key, witnesses } = entry;
  const names = new Intl.ListFormat(languageTag()).format(witnesses.map(({ name }) => name));
  return `${t("check.logged", { number: number + 1, size, origin: logWords(origin), signer: key })} ${names ? t("check.witnessed", { names }) : t("audit.not_witnessed")}`;
}

/** Check the record of a game in this browser; what was found, in sentences. @param {string} game */
async function checkHere(game) {
  try {
    const { report, attestation } = await checkRecord(readRecord(await downloadRecord(game)), { keepSteps: false });
    return [t("check.by_browser"), `${t(`audit.verdict_${verdictState(report)}`)}.`, ...(report.findings.length ? [] : attestedWords(attestation))];
  } catch (problem) {
    if (problem instanceof InvalidRecord) return [t("audit.no_record", { place: problem.place })];
    if (problem instanceof Refusal) return [refusalWords(problem)];
    throw problem;
  }
}
