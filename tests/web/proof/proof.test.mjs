import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { canonicalJson } from "../../../clients/web/js/hashing/canonical_json.js";
import { eventHash } from "../../../clients/web/js/proof/chain.js";
import { deal } from "../../../clients/web/js/proof/deal.js";
import { readRecord, InvalidRecord } from "../../../clients/web/js/proof/record.js";
import { certificateSeal, commitment, seed } from "../../../clients/web/js/proof/seal.js";
import { hex, join, sha256 } from "../../../clients/web/js/hashing/sha256.js";
import { movesOneCard, placesFrom, shuffledPlaces } from "../../../clients/web/js/proof/shuffle.js";
import { compareWithKept } from "../../../clients/web/js/proof/stored.js";
import { checkBeacon, isConsistent, notShown, verify } from "../../../clients/web/js/proof/verify.js";
import { skip } from "./library.mjs";

const file = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const page = file("../../../docs/record.md");
const example = (kind) => JSON.parse(new RegExp(`\`\`\`json ${kind}\n([^]*?)\`\`\``).exec(page)[1]);
const kinds = readdirSync(new URL("../records/", import.meta.url)).filter((name) => !name.includes(".rules.") && !name.endsWith("day.json")).map((name) => name.replace(".json", ""));
const recordOf = (kind) => readRecord(file(`../records/${kind}.json`));
const rulesOf = (record) => JSON.parse(file(`../records/${record.events[0].data.game}.rules.json`));
const proof = (record) => verify(record, rulesOf(record));

/** Compute the hashes of a changed record again, as a forger would who has read docs/record.md. */
function chained(record) {
  let before = "0".repeat(64);
  for (const event of record.events) before = event.hash = eventHash(before, record.stream, event);
  return record;
}

test("the digest is that of Node for texts of every length up to three blocks", () => {
  for (let length = 0; length <= 192; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
  }
});

test("bytes are joined with texts as UTF-8", () => {
  assert.equal(hex(join("é", new Uint8Array([0, 255]))), "c3a900ff");
});

test("commitment and seed are those in docs/record.md", () => {
  const shown = example("fairness");
  assert.equal(commitment(shown.secret), shown.commitment);
  assert.equal(seed(shown.game, shown.nonce, shown.secret), shown.seed);
});

test("the shuffle gives every published order", () => {
  const shown = [example("shuffle"), ...JSON.parse(file("../../engine/shuffle.json"))];
  for (const { count, seed: from, label, order: wanted } of shown) assert.deepEqual(shuffledPlaces(count, from, label), wanted);
});

test("the example deal in docs/record.md is dealt", () => {
  const { seed: from, piles, dealt, ...plan } = example("deal");
  const computed = deal(plan, Object.keys(piles), from);
  assert.deepEqual(computed, { piles: { ...piles, hand: [] }, counters: dealt });
});

test("the example chain in docs/record.md is correct", () => {
  const shown = example("chain");
  const { stream, ...event } = JSON.parse(shown.canonical);
  assert.equal(canonicalJson({ stream, ...event }), shown.canonical);
  assert.equal(eventHash(shown.before, stream, event), shown.hash);
});

test("canonical JSON has its keys in the order of their bytes and escapes what it must", () => {
  assert.equal(canonicalJson({ "ﬀ": 1, "😀": 2, "": [], ab: null, a: "é\u2028\u0001\"" }), "{\"\":[],\"a\":\"é\u2028\\u0001\\\"\",\"ab\":null,\"ﬀ\":1,\"😀\":2}");
});

for (const kind of kinds) {
  test(`a record is consistent: ${kind}`, { skip: kind === "beacon" && skip }, async () => {
    const report = await checkBeacon(proof(recordOf(kind)));
    assert.deepEqual(report.findings, []);
    assert.ok(isConsistent(report));
    assert.deepEqual(report.hashes, report.record.events.map(({ hash }) => hash));
    assert.equal(report.steps.length, 1 + report.record.events.filter(({ type }) => /^move_/.test(type)).length);
  });
}

test("without the rules only the seal, the chain and the end are checked, and the rest is reported as not checked", () => {
  const report = verify(recordOf("daily"), null);
  assert.deepEqual(report.checks, { seal: "holds", chain: "holds", deal: "open", shuffles: "open", effects: "open", end: "partly" });
  assert.ok(!isConsistent(report));
});

test("a deal that depends on its cards is checked as far as its steps go", () => {
  assert.equal(proof(recordOf("spoiled")).checks.deal, "partly");
});

test("taking back leads to the position before the move", () => {
  const { steps, record } = proof(recordOf("casual"));
  const back = record.events.find(({ type }) => type === "move_taken_back").version;
  const place = steps.findIndex(({ version }) => version === back);
  assert.deepEqual(steps[place].position, steps[place - 2].position);
});

const FORGERIES = {
  "the stock’s order": ["casual", "deal", 1, ({ data }) => data.piles.stock.reverse()],
  "a card more": ["spoiled", "deal", 1, ({ data }) => data.piles["maze.0"].push("AS")],
  "another player’s nonce": ["daily", "seal", 1, ({ data }) => { data.nonce = "mine"; }],
  "another day’s name": ["daily", "seal", 1, ({ data }) => { data.slot = 2; }],
  "cards that are none": ["daily", "deal", 1, ({ data }) => { data.piles = { "grid.0": [7] }; }],
  "older rules": ["daily", "deal", 1, ({ data }) => { data.rules_version = 0; }],
  "an effect that cannot be": ["daily", "effects", 3, ({ data }) => { data.effects = ["moved nowhere grid.0 1"]; }],
  "effects that are none": ["daily", "effects", 3, ({ data }) => { data.effects = 7; }],
  "more moves": ["daily", "end", -1, ({ data }) => { data.moves += 1; }],
  "less time": ["daily", "end", -1, ({ data }) => { data.milliseconds -= 1; }],
  "less time at the table": ["daily", "end", -1, ({ data }) => { data.active -= 1; }],
  "no such result": ["daily", "end", -1, ({ data }) => { data.result = "drawn"; }],
  "an end by time that is on the boards of a day": ["daily", "end", -1, ({ data }) => { data.result = "out_of_time"; }],
  "an end by time before the end of the day": ["left", "end", -1, (event) => { event.recorded_at = Date.UTC(2026, 10, 20); }],
  "no such event": ["race", "end", 2, (event) => { event.type = "game_won"; }],
  "a newer schema": ["race", "end", 2, (event) => { event.schema = 2; }],
  "a clock set back": ["race", "chain", 3, (event) => { event.recorded_at -= 5000; }],
  "a win a second after the last move": ["daily", "end", -1, (event) => {
    event.recorded_at += 1000;
    event.data.milliseconds += 1000;
    event.data.active += 1000;
  }],
  "a secret that is not the deal’s": ["casual", "end", -1, ({ data }) => { data.secret = "00"; }],
};

for (const [name, [kind, check, version, forge]] of Object.entries(FORGERIES)) {
  test(`a forgery with correct hashes is found: ${name}`, () => {
    const record = recordOf(kind);
    const at = version < 0 ? record.events.length : version;
    forge(record.events[at - 1]);
    const { findings, checks } = proof(chained(record));
    assert.equal(checks[check], "broken");
    assert.ok(findings.some((finding) => finding.check === check && finding.version === at));
    assert.equal(findings[0].version, at);
  });
}

test("a shuffle that does not follow from the seed is found, and one card moved by the rules is no shuffle", () => {
  const record = recordOf("shuffled-again");
  const { data, version } = record.events.find(({ data: { move } }) => move === "redeal");
  const swapped = (effect) => effect.replace(/(\d+),(\d+),(\d+)$/, "$3,$2,$1");
  data.effects = data.effects.map(swapped);
  assert.deepEqual(proof(chained(record)).findings.map(({ check, version: at }) => [check, at]), [["shuffles", version]]);
});

test("taking back without a move is found", () => {
  const record = recordOf("race");
  Object.assign(record.events[1], { type: "move_taken_back", data: {} });
  const finding = proof(chained(record)).findings[0];
  assert.deepEqual([finding.check, finding.reason, finding.version], ["effects", "nothing_to_take_back", 2]);
});

test("taking back a move that led to the position of a puzzle is found, and taking back one after it is not", () => {
  const found = (moves) => {
    const record = recordOf("casual");
    const origin = { game: "aaaabbbbccccdddd", version: 2, moves };
    Object.assign(record.events[0].data, { about: "2026-11-20", competition: "puzzle", origin });
    Object.assign(record.events[2], { type: "move_taken_back", data: {} });
    return proof(chained(record)).findings.filter(({ reason }) => reason === "nothing_to_take_back").map(({ version }) => version);
  };
  assert.deepEqual([found(0), found(1)], [[], [3]]);
});

test("the end of a try at a puzzle is that of a casual game, and the end of a run of an evening reveals nothing", () => {
  const found = (competition, about, change) => {
    const record = recordOf("casual");
    Object.assign(record.events[0].data, { about, competition, origin: { game: "aaaabbbbccccdddd", version: 1, moves: 0 } });
    change(record.events);
    return proof(chained(record)).findings.filter(({ check }) => check === "end").map(({ reason }) => reason);
  };
  const outOfTime = (events) => { events.at(-2).data.result = "out_of_time"; };
  assert.deepEqual(found("puzzle", "2026-11-20", () => {}), []);
  assert.deepEqual(found("puzzle", "2026-11-20", (events) => events.pop()), ["missing"]);
  assert.deepEqual(found("puzzle", "2026-11-20", outOfTime), ["result"]);
  assert.deepEqual(found("evening", "aaaabbbbccccdddd/1", () => {}), ["order"]);
  assert.deepEqual(found("another", "1", outOfTime), []);
});

test("a record without events, or without the revealed secret, is refuted", () => {
  assert.equal(proof({ ...recordOf("daily"), events: recordOf("daily").events.slice(0, 1) }).findings.length, 0);
  assert.equal(verify({ ...recordOf("daily"), events: [] }, null).findings[0].reason, "empty");
  const record = recordOf("casual");
  record.events.pop();
  assert.equal(proof(record).findings[0].reason, "missing");
});

const UNREADABLE = {
  "no JSON": "{", "a number": "7", "a fraction": file("../records/daily.json").replace("\"schema\":1", "\"schema\":1.0"),
  "a number too large": file("../records/daily.json").replace("\"schema\":1", `"schema":${2 ** 54}`),
  "another format": file("../records/daily.json").replace("record 1", "record 2"),
  "half a byte of secret": file("../records/daily.json").replace("\"secret\":\"0", "\"secret\":\""),
  "an empty nonce": file("../records/daily.json").replace("\"nonce\":\"2026-11-20.1\",\"commitment", "\"nonce\":\"\",\"commitment"),
  "a hash in capitals": file("../records/daily.json").replace(/"hash":"[^"]+"/, `"hash":"${"A".repeat(64)}"`),
};

for (const [name, text] of Object.entries(UNREADABLE)) {
  test(`an invalid record is refused: ${name}`, () => {
    assert.throws(() => readRecord(text), InvalidRecord);
  });
}

test("a record that was cut, or is another one, is refused beside what was kept of the game", () => {
  const kept = recordOf("daily");
  const report = (events) => compareWithKept(proof({ ...kept, events }), kept);
  const cut = report(kept.events.slice(0, -1));
  assert.deepEqual(cut.findings.map(({ check, reason, version }) => [check, reason, version]), [["kept", "cut", kept.events.length]]);
  assert.deepEqual(cut.checks, { ...proof(kept).checks, kept: "broken" });
  const forged = chained({ ...structuredClone(kept), events: structuredClone(kept.events) });
  forged.events[0].data.player = "eve";
  chained(forged);
  assert.deepEqual(proof(forged).findings, []);
  assert.deepEqual(compareWithKept(proof(forged), kept).findings.map(({ reason, version }) => [reason, version]), [["other", 1]]);
  assert.equal(report(kept.events).checks.kept, "holds");
  assert.equal(compareWithKept(proof(kept), { ...kept, events: kept.events.slice(0, 1) }).checks.kept, "open");
});

test("what a consistent record does not show is said, and more of one without an end", () => {
  const record = recordOf("daily");
  assert.deepEqual(notShown(proof(record)), ["rules", "player", "times", "kept", "alone"]);
  const cut = proof({ ...record, events: record.events.slice(0, 1) });
  assert.ok(isConsistent(cut));
  assert.deepEqual(notShown(cut), ["rules", "player", "times", "kept", "end", "alone"]);
  assert.deepEqual(notShown(compareWithKept(proof(record), record)), ["rules", "player", "times", "alone"]);
});

test("a number that would make some orders likelier is thrown away, and only such a number", () => {
  const [limit, large] = [2 ** 32 - 1, 2 ** 32 - 2]; // of 3; the last number below it leaves the remainder 2
  assert.deepEqual(placesFrom(3, [limit, limit, 1, 0].values()), [2, 0, 1]);
  assert.deepEqual(placesFrom(3, [large, 0].values()), [1, 0, 2]);
  assert.deepEqual(placesFrom(4, [limit, 0, 0].values()), placesFrom(4, [3, 0, 0].values()));
});

/** Every order of a few things. */
function orders(things) {
  if (things.length < 2) return [things];
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

test("an order moves one card if one card can be taken out so that the others rise, wherever it lies", () => {
  const rises = (laid) => laid.every((from, place) => place === 0 || from > laid[place - 1]);
  for (const laid of orders([0, 1, 2, 3, 4, 5])) {
    assert.equal(movesOneCard(laid), laid.some((_, place) => rises(laid.toSpliced(place, 1))), String(laid));
  }
});

test("a forged order that rises but for its last cards is no shuffle that the seed has drawn", () => {
  const record = recordOf("shuffled-again");
  const { data, version } = record.events.find(({ data: { move } }) => move === "redeal");
  const words = data.effects[0].split(" ");
  const kept = words.at(-1).split(",").map((_, place) => place);
  const laid = [1, 0, ...kept.slice(2, -2), kept.at(-1), kept.at(-2)];
  data.effects[0] = [...words.slice(0, -1), laid].join(" ");
  assert.ok(proof(chained(record)).findings.some((finding) => finding.check === "shuffles" && finding.version === version));
});

test("the seal of a certificate is that of the page", () => {
  const shown = example("certificate");
  assert.equal(certificateSeal(shown.secret, shown.certificate), shown.seal);
});
