/**
 * `node verify.mjs RECORD [RULES [KEPT]]`: checks a record as the audit page does, without a server.
 *
 * RULES is a file with the server's answer at /api/v1/rules/<game>. Without it deal, shuffles and effects are not checked. KEPT is
 * another record of the same game, which somebody has kept: a record that was cut, or is another one, is then broken.
 *
 * `--trust HOST` names a file with the keys of a host, and of its witnesses, as its server says them at /.well-known/cadogan.json.
 * Then `attested` says whether the host's log has the game, and `witnessed` who has seen this log. `skipped`, if it is there, names
 * those who have signed by ML-DSA-44, which is not checked here.
 *
 * `node verify.mjs DAY [RULES...]`: checks the record of a day, with the rules of the games whose deals are certified, in any order.
 *
 * `node verify.mjs RACE`: checks the record of a race.
 *
 * `node verify.mjs EVENING [RUN|RULES...]`: checks the record of an evening with the records of its runs, and with the rules of its games, in
 * any order. `missing` are the runs whose records were not given.
 *
 * `node verify.mjs ARCHIVE [RULES...]`: checks every record of an archive as if it stood alone, with the rules that are given.
 * `attested` and `witnessed` are then how many of them are.
 *
 * The answer is one JSON object. `consistent` says whether nothing is wrong with what was checked; `not_checked` names what needs
 * the rules of the game (and `beacon`, if its signature was to be verified and `python -m deploy.bundle` has brought no library for it), and `not_shown` what no consistent record shows (docs/record.md). The exit code is 0 if nothing is wrong,
 * 1 if something is, and 2 if a file is missing.
 *
 * @import { Trust } from "../transparency/attest.js"
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

import { checkRecords, countAttested } from "./archive/check_records.js";
import { MAX_RATIO, readArchive } from "./archive/read_archive.js";
import { FORMAT, NOT_CHECKED as DAY_NOT_CHECKED, readDay, verifyDay } from "./day.js";
import { FORMAT as EVENING_FORMAT, NOT_CHECKED as EVENING_NOT_CHECKED, readEvening, verifyEvening } from "./evening/evening.js";
import { FORMAT as RACE_FORMAT, NOT_CHECKED as RACE_NOT_CHECKED, readRace, verifyRace } from "./race.js";
import { compareWithKept } from "./stored.js";
import { FORMAT as RECORD_FORMAT, InvalidRecord, readFile, readRecord } from "./record.js";
import { attest, attestDay, attestEvening, attestRace, trustIn } from "../transparency/attest.js";
import { BadNote } from "../transparency/notes.js";
import { chainName } from "./beacon.js";
import { checkBeacon, NOT_CHECKED, notShown, verify } from "./verify.js";

/**
 * @param {Buffer} record
 * @param {(Buffer|null)[]} others
 * @param {Buffer|null} host
 * @returns {Promise<{consistent: boolean}>}
 */
async function answer(record, [rules, kept, ...more], host) {
  try {
    const trust = trustIn(host && JSON.parse(host.toString()));
    if (record[0] === 0x1f && record[1] === 0x8b) return await answerArchive(record, [rules, kept, ...more], trust);
    if (isOf(record, RACE_FORMAT)) return await answerRace(record, trust);
    if (isOf(record, EVENING_FORMAT)) return await answerEvening(record, [rules, kept, ...more], trust);
    if (isOf(record, FORMAT)) return await answerDay(record, [rules, kept, ...more], trust);
    const alone = await checkBeacon(verify(readRecord(record), rules && JSON.parse(rules.toString()), false));
    const { report, attestation } = await attest(kept ? compareWithKept(alone, readRecord(kept)) : alone, trust);
    const { checks, findings } = report;
    return {
      consistent: findings.length === 0, checks, findings, not_checked: leftOut(NOT_CHECKED, checks.beacon === "open"), not_shown: notShown(report),
      beacon: described(report.record.beacon ?? null),
      ...shown(attestation),
    };
  } catch (problem) {
    if (!(problem instanceof BadNote || problem instanceof InvalidRecord || problem instanceof TypeError || problem instanceof SyntaxError)) throw problem;
    const finding = { version: 0, check: "record", reason: "unreadable", found: problem.message };
    return { consistent: false, checks: {}, findings: [finding], not_checked: NOT_CHECKED, not_shown: [] };
  }
}

/** Who attests a record, and who has witnessed the log. @param {import("../transparency/attest.js").Attestation|null} attestation */
function shown(attestation) {
  if (!attestation?.key) return { attested: null, witnessed: [] };
  const { origin, number, size, version, witnesses, skipped } = attestation;
  return { attested: { origin, number, size, version }, witnessed: witnesses, ...(skipped.length ? { skipped } : {}) };
}

/** What was not checked: without a bundle also the signature of a beacon. @param {string[]} names @param {boolean} lacksBeacon */
const leftOut = (names, lacksBeacon) => (lacksBeacon ? [...names, "beacon"] : names);

/** Whether the file claims to be a record of this format. @param {Buffer} record @param {string} format */
function isOf(record, format) {
  try {
    return readFile(record, format) !== null;
  } catch (problem) {
    if (!(problem instanceof InvalidRecord)) throw problem;
    return false;
  }
}

/**
 * The round of the beacon from which cards follow, or follow not, because it was away; null if none was announced.
 * @param {import("./beacon.js").Round|null} beacon
 * @param {boolean} [away]
 */
const described = (beacon, away = false) => beacon && { chain: chainName(beacon.chain), round: beacon.round, away };

/** @param {Buffer} record @param {(Buffer|null)[]} rules @param {Trust} trust */
async function answerDay(record, rules, trust) {
  const read = readDay(record);
  const verified = await verifyDay(read, rules.filter((one) => one).map((one) => JSON.parse(String(one))));
  const { report, attestation, dated } = await attestDay(verified, read, trust);
  const { checks, findings, certificates, beacon, promised, late } = report;
  const certified = certificates.map(({ deal, candidate }) => ({ deal, candidate }));
  return {
    consistent: findings.length === 0, checks, findings, certified, beacon: described(promised, beacon === null), late,
    ...shown(attestation), dated: dated?.witnesses ?? [], not_checked: leftOut(DAY_NOT_CHECKED, checks.beacon === "open"),
  };
}

/** @param {Buffer} record @param {Trust} trust */
async function answerRace(record, trust) {
  const read = readRace(record);
  const { report: { checks, findings }, attestation } = await attestRace(verifyRace(read), read, trust);
  return { consistent: findings.length === 0, checks, findings, ...shown(attestation), not_checked: RACE_NOT_CHECKED };
}

/** @param {Buffer} record @param {(Buffer|null)[]} others @param {Trust} trust */
async function answerEvening(record, others, trust) {
  const files = others.filter((one) => one !== null), read = readEvening(record);
  const records = files.filter((one) => isOf(one, RECORD_FORMAT)).map(readRecord);
  const rules = files.filter((one) => !isOf(one, RECORD_FORMAT)).map((one) => JSON.parse(String(one)));
  const runs = records.map((one) => verify(one, rules.find(({ slug }) => slug === one.events[0]?.data.game) ?? null, false));
  const { report: { checks, findings, missing }, attestation, dated } = await attestEvening(await verifyEvening(read, runs), read, trust);
  const lacksBeacon = checks.beacon === "open" && findings.length === 0;
  return { consistent: findings.length === 0, checks, findings, missing, ...shown(attestation), dated: dated?.witnesses ?? [], not_checked: leftOut(EVENING_NOT_CHECKED, lacksBeacon) };
}

/** @param {Buffer} packed @param {(Buffer|null)[]} rules @param {Trust} trust */
async function answerArchive(packed, rules, trust) {
  const known = new Map(rules.filter((one) => one).map((one) => JSON.parse(String(one))).map((one) => [one.slug, one]));
  const { records } = readArchive(unpack(packed));
  const games = [];
  for await (const one of checkRecords(records, async (slug) => known.get(slug) ?? null, trust)) games.push(one);
  const broken = games.filter(({ findings }) => findings.length > 0).map(({ game, findings }) => ({ game, findings }));
  return { consistent: broken.length === 0, games: games.length, broken, ...countAttested(games), not_checked: leftOut(NOT_CHECKED, games.some(({ lacksBeacon }) => lacksBeacon)) };
}

/** The text of an archive, which is one gzip member: `gunzipSync` skips zeros after it, and joins more members. @param {Buffer} packed @throws {InvalidRecord} */
function unpack(packed) {
  try {
    const text = gunzipSync(packed, { maxOutputLength: MAX_RATIO * packed.length });
    if (packed.readUInt32LE(packed.length - 4) === text.length % 2 ** 32) return new Uint8Array(text);
  } catch {
    // said below
  }
  throw new InvalidRecord("gzip");
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

/** The arguments without `--trust HOST`, and HOST. @param {string[]} given */
function splitArguments(given) {
  const place = given.indexOf("--trust");
  return place < 0 ? { paths: given } : { paths: given.toSpliced(place, 2), host: given[place + 1] ?? "" };
}

const { paths: [path, rules, kept, ...more], host } = splitArguments(process.argv.slice(2));
const files = path === undefined ? null : readFiles([path, host, rules, kept, ...more]);
if (!files?.[0]) {
  process.stderr.write("usage: node verify.mjs [--trust HOST] RECORD [RULES [KEPT]], or DAY [RULES...], or EVENING [RUN|RULES...], or ARCHIVE [RULES...]\n");
  process.exitCode = 2;
} else {
  const found = await answer(files[0], files.slice(2), files[1]);
  process.stdout.write(`${printable(found)}\n`);
  process.exitCode = found.consistent ? 0 : 1;
}
