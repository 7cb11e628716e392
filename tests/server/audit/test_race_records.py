"""The record of a race: both verifiers accept what is right, and find what was forged, with or without a proof."""

import copy
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core import ids
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import NewEvent
from cadogan.server.core.eventlog.events import Event, canonical_json, encode_event
from cadogan.server.core.eventlog.race_events import (
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceResult,
    RaceStarted,
    RematchOpened,
)
from cadogan.server.core.eventlog.streams import race_stream
from cadogan.server.core.fairness.commit_reveal import commitment, shared_nonce
from cadogan.server.subjects.audit.attestation import Attestation, NotAttested, attest_events
from cadogan.server.subjects.races.race_record import RaceBroken, build_race_record, parse_race_record, verify_race
from cadogan.server.subjects.races.race_state import rematch_id
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.wire.codec import encode
from tests.harness.command_line import run
from tests.harness.game_steps import SECRET
from tests.harness.proven import FRIEND, HOST, KEY, TRUST, prove
from tests.harness.web_verifier import WebVerifier, verify_in_node

Record = dict[str, Any]
RACE, AT = "r2s4t6u3v5w7x2yz", 1_795_176_000_000
MUTANTS = 900


def result(player: str, ended: str, home: int, moves: int, milliseconds: int) -> RaceResult:
    """The result of a player whose game has the id that follows from the secret."""
    return RaceResult(player, ids.derive_id(SECRET, "race", RACE, player), ended, home, 10, moves, milliseconds)


RESULTS = (result("ann", "won", 52, 130, 180_000), result("cat", "lost", 31, 70, 240_000))
EVENTS: list[tuple[Event, int]] = [
    (RaceOpened("ann", "klondike", f"race-{RACE}", commitment(SECRET), 3, 600, 5, True, ("dan",)), 0),
    (PlayerJoined("ann", "a rainy Friday"), 0),
    (PlayerJoined("bob", "seven é kings"), 1000),
    (PlayerLeft("bob"), 2000),
    (PlayerJoined("cat", "eight red queens"), 3000),
    (PlayerLeft("dan"), 3500),
    (RaceStarted(AT + 9000, shared_nonce(["a rainy Friday", "eight red queens"])), 4000),
    (RaceFinished(RESULTS, SECRET.hex()), 250_000),
    (RematchOpened(rematch_id(RACE, SECRET)), 260_000),
]


def race_of(events: list[tuple[Event, int]] = EVENTS) -> Record:
    """The record of a race with these events, each with its time after the opening."""
    encoded = [(*encode_event(event), AT + after) for event, after in events]
    return chained([(name, schema, json.decode(data), at) for name, schema, data, at in encoded])


def chained(events: list[tuple[str, int, Any, int]]) -> Record:
    """The record with these events and valid hashes."""
    log: list[NewEvent] = []
    for version, (name, schema, data, at) in enumerate(events, 1):
        before = log[-1].hash if log else hash_chain.START_HASH
        text = canonical_json(data)
        digest = hash_chain.event_hash(before, race_stream(RACE), version, name, schema, text, at)
        log.append(NewEvent(version, name, schema, text, at, digest))
    record: Record = {"format": "cadogan race 1", "race": RACE, "events": []}
    if (built := build_race_record(RACE, log)) is not None:
        record = json.decode(encode(built))
    return record


def chained_again(record: Record) -> Record:
    """A changed record with recomputed hashes."""
    again = chained([(one["type"], one["schema"], one["data"], one["recorded_at"]) for one in record["events"]])
    return {**record, "events": again["events"]}


def proven(record: Record) -> Record:
    """The record with the proof that its end is in a log."""
    end = record["events"][7]
    entry = Ended.of(race_stream(RACE), end["version"], b"", bytes.fromhex(end["hash"])).as_bytes()
    other = Ended.of("game/aaaabbbbccccdddd", 5, bytes(32), bytes(32)).as_bytes()
    return {**record, "proof": prove([other, entry, other], 1, AT // 1000 + 300)}


def ours(record: Record) -> Attestation | None:
    """What the proof of a record shows; raises RaceBroken and NotAttested."""
    text = json.encode(record)
    verify_race(text)
    read = parse_race_record(text)
    return attest_events(race_stream(read.race), read.proof, read.events, TRUST)


def test_both_verifiers_accept_a_race_and_say_who_attests_it(web_verifier: WebVerifier) -> None:
    race = verify_race(json.encode(race_of()))
    assert (race.players, race.over) == (["ann", "cat"], True)
    said = web_verifier.verdict(json.encode(race_of()), None)
    assert (said.consistent, said.attested, said.checks) == (
        True,
        False,
        {"seal": "holds", "chain": "holds", "end": "holds"},
    )
    record = proven(race_of())
    found = ours(record)
    assert found is not None
    assert (found.number, found.size, found.version, found.key) == (1, 3, 8, KEY.verifier())
    said = web_verifier.verdict(json.encode(record), None, HOST)
    assert (said.consistent, said.attested, said.witnessed) == (True, True, (FRIEND.name,))
    assert said.checks["log"] == "partly"  # the rematch came later
    whole = proven(race_of(EVENTS[:-1]))
    assert web_verifier.verdict(json.encode(whole), None, HOST).checks["log"] == "holds"


def with_event(place: int, event: Event, after: int | None = None) -> list[tuple[Event, int]]:
    """The events with another one at a place."""
    changed = [*EVENTS]
    changed[place] = (event, changed[place][1] if after is None else after)
    return changed


ALONE = RaceStarted(AT + 9000, shared_nonce(["a rainy Friday"]))
FORGERIES: dict[str, list[tuple[Event, int]]] = {
    "does not fit the commitment": with_event(7, RaceFinished(RESULTS, "ab" * 32)),
    "does not follow from the texts": with_event(4, PlayerJoined("cat", "another text")),
    "not those of the players": with_event(7, RaceFinished(RESULTS[:1], SECRET.hex())),
    "not in their order": with_event(7, RaceFinished(RESULTS[::-1], SECRET.hex())),
    "is not that of ann": with_event(
        7, RaceFinished((RaceResult("ann", "aaaabbbbccccdddd", "won", 52, 10, 130, 180_000), RESULTS[1]), SECRET.hex())
    ),
    "is not the rematch": with_event(8, RematchOpened("aaaabbbbccccdddd")),
    "before its countdown": with_event(6, RaceStarted(AT + 8499, shared_nonce(["a rainy Friday", "eight red queens"]))),
    "over before it started": with_event(7, RaceFinished(RESULTS, SECRET.hex()), 8999),
    "before that of the event before it": with_event(8, EVENTS[8][0], 249_999),
    "could not do this player_joined": [*EVENTS[:2], EVENTS[1], *EVENTS[2:]],
    "could not do this player_left": [*EVENTS[:4], EVENTS[3], *EVENTS[4:]],
    "its opening to its results": [*EVENTS[:6], *EVENTS[7:]],
    "is not that of this race": with_event(
        0, RaceOpened("ann", "klondike", "race-another", commitment(SECRET), 3, 600, 5, True, ("dan",))
    ),
    "fewer than two players": [
        *EVENTS[:2],
        (RaceStarted(AT + 9000, shared_nonce(["a rainy Friday"])), 4000),
        EVENTS[7],
    ],
}


@pytest.mark.parametrize("why", FORGERIES)
def test_a_forged_race_with_fitting_hashes_is_refused_by_both(web_verifier: WebVerifier, why: str) -> None:
    text = json.encode(race_of(FORGERIES[why]))
    with pytest.raises(RaceBroken, match=why):
        verify_race(text)
    assert not web_verifier.verdict(text, None).consistent


def test_a_race_is_full_when_all_its_places_are_taken_or_kept(web_verifier: WebVerifier) -> None:
    full = [*EVENTS[:3], (PlayerJoined("eve", "x"), 1500), *EVENTS[3:]]
    with pytest.raises(RaceBroken, match="eve could not do this player_joined"):
        verify_race(json.encode(race_of(full)))
    assert not web_verifier.verdict(json.encode(race_of(full)), None).consistent


def test_the_record_of_another_race_is_not_that_of_this_one() -> None:
    text = json.encode(race_of())
    assert verify_race(text, RACE).id == RACE
    with pytest.raises(RaceBroken, match="it is the record of"):
        verify_race(text, "another")


ODD: tuple[Any, ...] = (None, True, 0, 1, -1, 2**53 - 1, "", "x", "ann", "won", "é", "0" * 64, [], {}, ["x"])


def set_a_value(record: Record, chance: random.Random) -> None:
    places = [(event, "data") for event in record["events"]]
    place, key = chance.choice([*places, *[(event, "recorded_at") for event in record["events"]]])
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.95:
        place, key = (
            place[key],
            chance.choice([*(place[key] if isinstance(place[key], dict) else range(len(place[key])))]),
        )
    value = place[key]
    place[key] = (
        value + chance.choice([1, -1]) if isinstance(value, int) and chance.random() < 0.6 else chance.choice(ODD)
    )


def add_or_drop_a_key(record: Record, chance: random.Random) -> None:
    data = chance.choice(record["events"])["data"]
    if chance.random() < 0.5:
        del data[chance.choice([*data])]
    else:
        data[chance.choice(["x", "__proto__", "secret"])] = chance.choice(ODD)


def move_events(record: Record, chance: random.Random) -> None:
    events = record["events"]
    place = chance.randrange(len(events))
    moved = events.pop(place)
    if chance.random() < 0.6:
        events.insert(chance.randrange(len(events) + 1), moved)
    elif chance.random() < 0.5:
        events[place:place] = [moved, copy.deepcopy(moved)]
    at = 0
    for event in events:
        at = event["recorded_at"] = max(at, event["recorded_at"])


def change_the_proof(record: Record, chance: random.Random) -> None:
    text = record["proof"]
    place = chance.randrange(len(text))
    record["proof"] = chance.choice([None, "", 1, text[:place] + "A" + text[place + 1 :], text[:place]])


CHANGES: tuple[Callable[[Record, random.Random], None], ...] = (
    set_a_value,
    set_a_value,
    add_or_drop_a_key,
    move_events,
    change_the_proof,
)


def test_both_verifiers_say_the_same_of_mutants_of_races(web_verifier: WebVerifier) -> None:
    chance, counted, original = random.Random(8), Counter[tuple[bool, bool]](), proven(race_of())
    for _ in range(MUTANTS):
        record = copy.deepcopy(original)
        if chance.random() < 0.5:
            del record["proof"]
        change = chance.choice(CHANGES[:4] if "proof" not in record else CHANGES)
        change(record, chance)
        if chance.random() < 0.9:
            record = {**record, "events": rehashed(record["events"])}
        try:
            found = ours(record)
            said = (True, found is not None and found.key is not None)
        except (RaceBroken, NotAttested):
            said = (False, False)
        theirs = web_verifier.verdict(json.encode(record), None, HOST)
        assert (theirs.consistent, theirs.attested) == said, record
        counted[said] += 1
    assert counted[False, False] > MUTANTS // 3
    assert min(counted[True, False], counted[True, True]) > 5


def rehashed(events: list[Record]) -> list[Record]:
    """Events with recomputed versions and hashes; as they are if they cannot be hashed."""
    before, found = hash_chain.START_HASH, []
    for version, one in enumerate(events, 1):
        if not isinstance(one["recorded_at"], int):
            return events
        data = canonical_json(one["data"])
        before = hash_chain.event_hash(
            before, race_stream(RACE), version, one["type"], one["schema"], data, one["recorded_at"]
        )
        found.append({**one, "version": version, "hash": before.hex()})
    return found


def test_the_commands_check_a_race_and_its_proof(tmp_path: Path) -> None:
    file, host = tmp_path / "race.json", tmp_path / "host.json"
    file.write_bytes(json.encode(proven(race_of())))
    host.write_bytes(json.encode(HOST))
    said = run("verify", str(file), "--trust", str(host))
    assert (said.exit_code, f"consistent with its seal: the race {RACE} of 2 players" in said.output) == (0, True)
    assert f"attested up to event 8 of 9: entry 2 of 3 in the log {KEY.name}" in said.output
    found = json.decode(run("verify", str(file), "--trust", str(host), "--json").output)
    assert (found["players"], found["attested"]["number"], len(found["witnessed"])) == (["ann", "cat"], 1, 1)
    code, answer = verify_in_node(file, "--trust", host)
    assert (code, answer["attested"]["number"], answer["not_checked"]) == (0, 1, ["results"])
    file.write_bytes(json.encode({**proven(race_of()), "events": race_of(EVENTS[:-1])["events"][:-1]}))
    assert run("verify", str(file)).exit_code == 1
    assert [run("verify", str(file), *option).exit_code for option in (["--against", str(host)], ["--resolve"])] == [
        2,
        2,
    ]
