/**
 * The check of an archive on the page: how many records are in order, attested and witnessed, and which are broken.
 *
 * @import { CheckedGame } from "../proof/archive/check_records.js"
 */
import { t } from "../language/translate.js";
import { checkRecords, countAttested } from "../proof/archive/check_records.js";
import { MAX_RATIO, readArchive } from "../proof/archive/read_archive.js";
import { InvalidRecord } from "../proof/record.js";
import { element } from "../ui/dom.js";
import { findingItem, SIGNS, uncheckedBeacon } from "./audit_report.js";
import { readKnownRules, readTrust } from "./record_check.js";

/** What an archive may be when it is unpacked: some browsers have no longer texts. */
const MAX_UNPACKED_BYTES = 256 * 2 ** 20;
/** So many broken games are listed. */
const MAX_LISTED = 100;
const GAMES_PER_STEP = 20;

/** Whether a file is packed, as archives are. @param {ArrayBuffer} file */
export function isPacked(file) {
  const [first, second] = new Uint8Array(file.slice(0, 2));
  return first === 0x1f && second === 0x8b;
}

/**
 * Check every record of an archive. Throws InvalidRecord and Refusal.
 * @param {ArrayBuffer} file
 * @param {(done: number, all: number) => void} progress
 * @returns {Promise<HTMLElement>} the report
 */
export async function checkArchive(file, progress) {
  const { before, records } = readArchive(await unpack(file));
  /** @type {CheckedGame[]} */
  const games = [];
  for await (const one of checkRecords(records, readKnownRules, await readTrust())) {
    games.push(one);
    if (games.length % GAMES_PER_STEP) continue;
    progress(games.length, records.length);
    await new Promise((resolve) => setTimeout(resolve)); // so that the page can be used meanwhile
  }
  return archiveReport(before, games);
}

/** @param {string} before @param {CheckedGame[]} games */
function archiveReport(before, games) {
  const broken = games.filter(({ findings }) => findings.length > 0);
  const { attested, witnessed } = countAttested(games);
  const state = broken.length ? "broken" : "holds";
  return element("section", { class: `panel verdict ${state}`, role: "status" },
    element("h2", {}, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]), " ",
      broken.length ? t("audit.archive_broken", { count: broken.length, games: games.length }) : t("audit.archive_holds", { count: games.length })),
    element("p", {}, t("audit.archive_of", { count: games.length, day: before })),
    element("p", { class: "attested" }, t("audit.archive_attested", { attested, witnessed, games: games.length })),
    games.some(({ lacksBeacon }) => lacksBeacon) && uncheckedBeacon(),
    broken.length > 0 && element("ul", { class: "findings" }, broken.slice(0, MAX_LISTED).map(({ game, findings }) =>
      element("li", {}, element("code", {}, game), element("ol", {}, findings.slice(0, 1).map(findingItem))))),
    element("p", { class: "fine" }, t("audit.not_here"), " ", element("code", {}, "cadogan verify FILE")));
}

/** The bytes in a file of gzip. @param {ArrayBuffer} file @throws {InvalidRecord} */
async function unpack(file) {
  const chunks = [], most = Math.min(MAX_UNPACKED_BYTES, MAX_RATIO * file.byteLength);
  let size = 0;
  try {
    const reader = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      size += step.value.length;
      if (size > most) {
        await reader.cancel();
        throw new InvalidRecord("size");
      }
      chunks.push(step.value);
    }
  } catch (problem) {
    throw problem instanceof InvalidRecord ? problem : new InvalidRecord("gzip");
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
