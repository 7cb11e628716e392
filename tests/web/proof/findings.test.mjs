/** What each finding says: where, which check, why, what was expected and what was found. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { eventHash } from "../../../clients/web/js/proof/chain.js";
import { readRecord } from "../../../clients/web/js/proof/record.js";
import { verify } from "../../../clients/web/js/proof/verify.js";

const file = (name) => readFileSync(new URL(`../records/${name}.json`, import.meta.url), "utf8");
const recordOf = (kind) => readRecord(file(kind));
const rulesOf = (record) => JSON.parse(file(`${record.events[0].data.game}.rules`));

/** Compute the hashes of a changed record again. */
function chained(record) {
  let before = "0".repeat(64);
  record.events.forEach((event, index) => {
    before = event.hash = eventHash(before, record.stream, { ...event, version: index + 1 });
  });
  return record;
}

/** Let a casual game of one move be ended by time, 30 days and so many milliseconds after its last event. */
function endIdle({ events }, milliseconds) {
  const [dealt, played, end, ...revealed] = events;
  const at = played.recorded_at + 30 * 86400000 + milliseconds;
  Object.assign(end.data, { result: "out_of_time", counts: false, milliseconds: at - dealt.recorded_at });
  end.data.active = Math.min(played.recorded_at - dealt.recorded_at, 60000) + 60000;
  for (const event of [end, ...revealed]) event.recorded_at = at;
}

const HASH = recordOf("race").commitment;
const OTHER = "0".repeat(64);

/** Each forgery: the kind of record, how it is changed, and the findings: version, check, reason, expected, found. */
const FORGERIES = {
  "another commitment in the head": ["race", (record) => { record.commitment = OTHER; }, [
    [0, "seal", "commitment", OTHER, HASH], [1, "seal", "dealt_commitment", OTHER, HASH],
  ]],
  "another stream": ["race", (record) => { record.stream = "game/x"; }, [[0, "chain", "stream", "game/aaaabbbbccccdddd", "game/x"]]],
  "another nonce in the deal": ["race", ({ events: [{ data }] }) => { data.nonce = "mine"; }, [[1, "seal", "nonce", "ann's own words", "mine"]]],
  "another deal's name": ["spoiled", ({ events: [{ data }, ...rest] }) => {
    data.deal = "2026-11-20.2";
    rest.find(({ type }) => type === "challenge_spoiled").data.deal = "2026-11-20.2";
  }, [[1, "seal", "day", "2026-11-20.1", "2026-11-20.1, 2026-11-20.2"]]],
  "a day's deal without a number": ["spoiled", ({ events: [{ data }] }) => { data.slot = null; }, [
    [1, "seal", "kind", undefined, undefined], [1, "seal", "day", "2026-11-20.0", "2026-11-20.1, 2026-11-20.1"],
  ]],
  "older rules": ["race", ({ events: [{ data }] }) => { data.rules_version = 0; }, [[1, "deal", "rules", "quatorze 1", "quatorze 0"]]],
  "another game's rules": ["race", ({ events: [{ data }] }) => { data.game = "olga"; }, [[1, "deal", "rules", "quatorze 1", "olga 1"]]],
  "a pile that the game does not have": ["race", ({ events: [{ data }] }) => {
    data.piles.mine = data.piles["grid.0"];
    delete data.piles["grid.0"];
  }, [[1, "deal", "piles", undefined, undefined]]],
  "an empty pile": ["race", ({ events: [{ data }] }) => { data.piles.discard = []; }, [[1, "deal", "piles", undefined, undefined]]],
  "a card more": ["race", ({ events: [{ data: { piles } }] }) => { piles["grid.24"].push("AS"); }, [
    [1, "deal", "cards", "grid.24: KC", "grid.24: KC AS"],
  ]],
  "a numbered deal's cards with another number": ["numbered", ({ events: [{ data }] }) => { data.number = 618; }, [
    [1, "deal", "cards", "tableau.0: 8C 2D 6C JC 7S TH 6H", "tableau.0: 7D TD TH KD 4C 4S JD"],
  ]],
  "a number that no deal has": ["numbered", ({ events: [{ data }] }) => { data.number = 2 ** 33; }, [
    [1, "deal", "number", undefined, "8589934592"],
  ]],
  "a number in a race": ["race", ({ events: [{ data }] }) => { data.number = 617; }, [[1, "deal", "number", undefined, "617"]]],
  "another candidate's cards": ["winnable", ({ events: [{ data }] }) => { data.winnable.candidate = 0; }, [
    [1, "deal", "cards", "tableau.0: 6D 6S 5H", "tableau.0: JS 7S 5D"],
  ]],
  "a candidate that no deal has": ["winnable", ({ events: [{ data }] }) => { data.winnable.candidate = 50; }, [
    [1, "deal", "winnable", undefined, "50"],
  ]],
  "a winnable deal in a race": ["race", ({ events: [{ data }] }) => { data.winnable = { candidate: 0, solver: 5, budget: 300 }; }, [
    [1, "deal", "winnable", undefined, "0"],
  ]],
  "nothing, in a try at a puzzle from a numbered deal": ["numbered", ({ events: [{ data }] }) => {
    Object.assign(data, { about: "2026-11-20", competition: "puzzle", origin: { game: "aaaabbbbccccdddd", version: 9, moves: 0 } });
  }, []],
  "another counter": ["race", ({ events: [{ data }] }) => { data.counters.mine = 1; }, [[1, "deal", "cards", "mine: undefined", "mine: 1"]]],
  "versions that do not follow": ["race", ({ events }) => { events[1].version = 7; }, [[2, "chain", "version", "2", "7"]]],
  "a clock set back": ["foreign", ({ events }) => { events[0].recorded_at += 5000; }, [
    [2, "chain", "time", undefined, undefined],
    [3, "end", "milliseconds", "-3000", "2000"], [3, "end", "active", "-3000", "2000"],
  ]],
  "an effect that cannot be": ["race", ({ events: [, { data }] }) => { data.effects = ["moved grid.0 grid.0 1"]; }, [
    [2, "effects", "impossible", undefined, "moved grid.0 grid.0 1"],
  ]],
  "an event of no known kind": ["race", ({ events: [, event] }) => { event.type = "won"; }, [
    [2, "end", "order", undefined, "won"], [5, "end", "moves", "2", "3"],
  ]],
  "a key too many": ["race", ({ events: [, { data }] }) => { data.mine = 1; }, [[2, "end", "data", undefined, "mine"]]],
  "a key too few": ["race", ({ events: [, { data }] }) => { delete data.move; }, [[2, "end", "data", undefined, "move"]]],
  "a newer schema": ["race", ({ events: [, event] }) => { event.schema = 2; }, [[2, "end", "schema", "1", "2"]]],
  "a played run that says that it does not count": ["race", ({ events }) => { events.at(-1).data.counts = false; }, [
    [5, "end", "counts", undefined, "false"],
  ]],
  "a run that its day's close ended, and that counts": ["left", ({ events }) => { delete events.at(-1).data.counts; }, [
    [11, "end", "counts", "false", ""],
  ]],
  "a spoiled run that the close ended": ["left", ({ events }) => {
    events[9] = { ...events[9], type: "challenge_spoiled", data: { deal: "2026-11-20.1", player: "ann" } };
    events.at(-1).data.moves -= 1;
  }, [[11, "end", "counts", undefined, "false"], [11, "end", "result", undefined, "out_of_time"]]],
  "an end that says that it counts": ["race", ({ events }) => { events.at(-1).data.counts = true; }, [
    [5, "end", "data", undefined, "counts"],
  ]],
  "a wrong end": ["race", ({ events }) => { Object.assign(events.at(-1).data, { moves: 9, milliseconds: 8, active: 7 }); }, [
    [5, "end", "moves", "3", "9"], [5, "end", "milliseconds", "300000", "8"], [5, "end", "active", "63000", "7"],
  ]],
  "an end by time in a casual game": ["foreign", ({ events }) => { events[2].data.result = "out_of_time"; }, [
    [3, "end", "result", undefined, "out_of_time"],
  ]],
  "a casual game that nobody has touched for 30 days": ["foreign", (record) => endIdle(record, 0), []],
  "a casual game that was touched less than 30 days ago": ["foreign", (record) => endIdle(record, -1), [
    [3, "end", "counts", undefined, "false"], [3, "end", "result", undefined, "out_of_time"],
  ]],
  "another secret at the end": ["foreign", ({ events }) => { events[3].data.secret = OTHER; }, [
    [4, "end", "secret", recordOf("foreign").secret, OTHER],
  ]],
  "a secret a second after the end": ["foreign", ({ events }) => { events[3].recorded_at += 1000; }, [
    [4, "end", "together", "1800000002000", "1800000003000"],
  ]],
  "a secret before the end": ["foreign", ({ events }) => {
    [events[2].type, events[3].type] = [events[3].type, events[2].type];
    [events[2].data, events[3].data] = [events[3].data, events[2].data];
  }, [
    [3, "end", "together", "1800000001000", "1800000002000"], [3, "end", "order", undefined, "deal_revealed"],
    [5, "end", "missing", "deal_revealed", undefined],
  ]],
  "no secret at the end": ["foreign", ({ events }) => { events.pop(); }, [[4, "end", "missing", "deal_revealed", undefined]]],
  "a secret at the end of a race": ["race", (record) => {
    record.events.push({ ...record.events[4], version: 6, type: "deal_revealed", data: { secret: record.secret } });
  }, [[6, "end", "order", undefined, "deal_revealed"]]],
  "a move after the end": ["race", ({ events }) => { events.push({ ...events[1], version: 6, recorded_at: 1800000300000 }); }, [[6, "end", "order", undefined, "move_played"]]],
  "another player who was shown the deal": ["spoiled", ({ events }) => { events[10].data.player = "bob"; }, [
    [11, "end", "spoiler", "ann", "bob"],
  ]],
  "shown the deal twice": ["spoiled", ({ events }) => { events[11] = { ...events[10], version: 12, recorded_at: events[11].recorded_at }; }, [
    [12, "end", "order", undefined, "challenge_spoiled"],
  ]],
  "shown the deal in practice": ["spoiled", ({ events: [{ data }] }) => { data.ranked = false; }, [
    [11, "end", "order", undefined, "challenge_spoiled"],
  ]],
};

for (const [name, [kind, forge, wanted]] of Object.entries(FORGERIES)) {
  test(`the findings say what is wrong: ${name}`, () => {
    const record = recordOf(kind);
    const rules = rulesOf(record);
    forge(record);
    const { findings } = verify(chained(record), rules);
    assert.deepEqual(findings.map(({ version, check, reason, expected, found }) => [version, check, reason, expected, found]), wanted);
  });
}

test("a wrong hash is found at its event and at the one after it", () => {
  const record = recordOf("race");
  const right = record.events[1].hash;
  record.events[1].hash = OTHER;
  const { findings } = verify(record, rulesOf(record));
  const after = eventHash(OTHER, record.stream, record.events[2]);
  assert.deepEqual(findings, [
    { version: 2, check: "chain", reason: "hash", expected: right, found: OTHER },
    { version: 3, check: "chain", reason: "hash", expected: after, found: record.events[2].hash },
  ]);
});

test("a short secret is found, and how long it is", () => {
  const record = recordOf("race");
  record.secret = record.secret.slice(2);
  const [short, bound] = verify(record, null).findings;
  assert.deepEqual(short, { version: 0, check: "seal", reason: "secret", expected: "32", found: "31" });
  assert.deepEqual([bound.reason, bound.expected], ["commitment", HASH]);
});

test("a record that begins with no deal is found to, and nothing else is compared with the rules", () => {
  const record = recordOf("race");
  const rules = rulesOf(record);
  record.events.shift();
  record.events.forEach((event, index) => { event.version = index + 1; });
  const { findings, checks, steps } = verify(chained(record), rules);
  assert.deepEqual(findings.slice(0, 2).map(({ version, check, reason, expected, found }) => [version, check, reason, expected, found]), [
    [1, "deal", "piles", undefined, undefined], [1, "end", "beginning", "game_dealt", "move_played"],
  ]);
  assert.deepEqual([checks.deal, checks.shuffles, checks.effects, steps], ["broken", "open", "open", []]);
});
