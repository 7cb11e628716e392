import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(`../records/${name}`, import.meta.url));
const PROGRAM = fileURLToPath(new URL("../../../clients/web/js/proof/verify.mjs", import.meta.url));
const [CASUAL, DAILY] = [path("casual.json"), path("daily.json")];
const [KLONDIKE, QUATORZE] = [path("klondike.rules.json"), path("quatorze.rules.json")];
const folder = mkdtempSync(join(tmpdir(), "records-"));
after(() => rmSync(folder, { recursive: true }));

/** Run the command on files: its exit code, what it answered, and what it wrote about errors. */
function run(...files) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...files], { encoding: "utf8" });
  return { code: status, text: stdout, answer: stdout && JSON.parse(stdout), error: stderr };
}

/** Write a file with a changed copy of a record, and return its path. */
function changed(name, from, change) {
  const file = join(folder, name);
  writeFileSync(file, change(readFileSync(from, "utf8")));
  return file;
}

const cut = changed("cut.json", DAILY, (text) => {
  const record = JSON.parse(text);
  return JSON.stringify({ ...record, events: record.events.slice(0, -1) });
});

test("a consistent record gets the exit code 0 and every check", () => {
  const { code, answer, error } = run(CASUAL, KLONDIKE);
  assert.deepEqual([code, error], [0, ""]);
  assert.deepEqual(answer, {
    consistent: true,
    checks: { seal: "holds", chain: "holds", deal: "holds", shuffles: "holds", effects: "holds", end: "partly" },
    findings: [],
    not_checked: ["legality", "result", "score", "points"],
    not_shown: ["rules", "player", "times", "kept", "alone"],
    beacon: null,
    attested: null,
    witnessed: [],
  });
});

test("without the rules the record is still checked, and what needs them stays open", () => {
  const { code, answer } = run(CASUAL);
  assert.deepEqual([code, answer.consistent, answer.checks.deal, answer.checks.chain], [0, true, "open", "holds"]);
});

test("a changed record gets the exit code 1 and the findings", () => {
  const { code, answer } = run(changed("changed.json", CASUAL, (text) => text.replace("resigned", "won_____")), KLONDIKE);
  assert.deepEqual([code, answer.consistent, answer.checks.chain], [1, false, "broken"]);
  assert.ok(answer.findings.length > 0);
});

test("a record that was cut is consistent alone and broken beside the one that was kept", () => {
  const alone = run(cut, QUATORZE);
  assert.deepEqual([alone.code, alone.answer.not_shown.includes("end")], [0, true]);
  const beside = run(cut, QUATORZE, DAILY);
  assert.deepEqual([beside.code, beside.answer.consistent, beside.answer.checks.kept], [1, false, "broken"]);
  const whole = run(DAILY, QUATORZE, DAILY);
  assert.deepEqual([whole.code, whole.answer.checks.kept], [0, "holds"]);
});

test("a file that is no record, and rules that are none, are reported as unreadable", () => {
  for (const files of [[KLONDIKE], [CASUAL, cut], [CASUAL, changed("odd.rules.json", KLONDIKE, () => "{")]]) {
    const { code, answer } = run(...files);
    assert.deepEqual([code, answer.consistent, answer.checks], [1, false, {}]);
    assert.deepEqual(answer.findings.map(({ version, check, reason }) => [version, check, reason]), [[0, "record", "unreadable"]]);
    assert.equal(typeof answer.findings[0].found, "string");
    assert.deepEqual([answer.not_checked, answer.not_shown], [["legality", "result", "score", "points"], []]);
  }
});

test("nothing in a record commands the terminal that shows the answer", () => {
  const { code, text, answer } = run(changed("odd.json", CASUAL, (whole) => whole.replace("game_dealt", "\x7f\x9b\u202eé")));
  assert.deepEqual([code, /^[\n\x20-\x7e]*$/.test(text)], [1, true]);
  assert.ok(answer.findings.some(({ found }) => found === "\x7f\x9b\u202eé"));
  assert.match(text, /\\u007f\\u009b\\u202e\\u00e9/);
});

test("a file that is missing or no file gets the exit code 2, how to use the command, and no answer", () => {
  for (const [files, said] of [[[], ""], [[join(folder, "nothing")], "ENOENT"], [[folder], "EISDIR"], [[CASUAL, join(folder, "nothing")], "ENOENT"]]) {
    const { code, text, error } = run(...files);
    assert.deepEqual([code, text, error.includes("usage: node verify.mjs [--trust HOST] RECORD [RULES [KEPT]], or DAY [RULES...], or EVENING [RUN|RULES...], or ARCHIVE [RULES...]\n")], [2, "", true]);
    assert.equal(error.includes("a file cannot be read: "), said !== "");
    assert.ok(error.includes(said));
  }
});

test("the record of a day is checked, with the lines of its certificates where there are rules", () => {
  const [day, rules] = [path("day.json"), path("caesar.rules.json")];
  const { code, answer } = run(day, KLONDIKE, rules);
  assert.equal(code, 0);
  assert.deepEqual(answer, {
    consistent: true,
    checks: { seal: "holds", chain: "holds", certificates: "holds", effects: "partly", shuffles: "holds" },
    findings: [],
    certified: [{ deal: "2026-11-20.1", candidate: 2 }],
    beacon: null,
    late: [],
    attested: null, witnessed: [], dated: [],
    not_checked: ["legality", "won", "search", "boards"],
  });
  assert.deepEqual(run(day).answer.checks.effects, "open");
  const forged = run(changed("day.json", day, (text) => text.replace('"candidate":2', '"candidate":3')), rules);
  assert.deepEqual([forged.code, forged.answer.checks.chain, forged.answer.checks.certificates], [1, "broken", "broken"]);
});

test("without the library that the bundler brings, a round stays unverified and the answer names it", () => {
  const alone = join(folder, "web", "js");
  cpSync(fileURLToPath(new URL("../../../clients/web/js", import.meta.url)), alone, { recursive: true });
  for (const [name, rules] of [["beacon.json", QUATORZE], ["beacon-day.json", path("caesar.rules.json")]]) {
    const { status, stdout } = spawnSync(process.execPath, [join(alone, "proof", "verify.mjs"), path(name), rules], { encoding: "utf8" });
    const { checks, findings, not_checked: left } = JSON.parse(stdout);
    assert.deepEqual([status, findings, checks.beacon, left.at(-1)], [0, [], "open", "beacon"], name);
  }
});
