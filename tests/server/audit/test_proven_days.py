"""A day's record proves that its close and its announcement are in a log, and who saw the commitment before the day."""

import copy
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.subjects.audit.attestation import (
    Attestation,
    NotAttested,
    Trust,
    attest_announcement,
    attest_events,
)
from cadogan.server.subjects.daily.day_record import DayBroken, parse_day_record, verify_day
from cadogan.server.subjects.transparency.leaves import DayEvent, Ended
from cadogan.server.subjects.transparency.notes import SigningKey
from tests.harness.command_line import run
from tests.harness.game_steps import DAY
from tests.harness.proven import FRIEND, HOST, KEY, TRUST, prove
from tests.harness.sample_days import BEFORE, CERTIFIED, TIMES, Record, beacon_day, certified_day, chained_again
from tests.harness.sample_records import rules_of
from tests.harness.web_verifier import WebVerifier, verify_in_node

CLOSED_AT = TIMES["daily_closed"] // 1000
OTHER = SigningKey("club.example/log", bytes(32))
MUTANTS = 700


def entries_of(record: Record) -> list[bytes]:
    """The entries of the log about a day: its events, and a game between."""
    stream, (*before, last) = day_stream(DAY), record["events"]
    commitment = record["events"][0]["data"]["commitment"]
    events = [
        DayEvent.of(stream, one["version"], one["type"], one["recorded_at"], bytes.fromhex(one["hash"]), commitment)
        for one in before
    ]
    closed = Ended.of(stream, last["version"], b"", bytes.fromhex(last["hash"]))
    game = Ended.of("game/aaaabbbbccccdddd", 5, bytes(32), bytes(32))
    logged: list[DayEvent | Ended] = [events[0], game, *events[1:], closed]
    return [one.as_bytes() for one in logged]


def proven(record: Record, seen_at: int = BEFORE // 1000 + 5, key: SigningKey = KEY) -> Record:
    """The record with its proofs; `seen_at` is when the witness saw its announcement, in seconds."""
    entries = entries_of(record)
    proof = prove(entries, len(entries) - 1, CLOSED_AT + 5, key)
    return {**copy.deepcopy(record), "proof": proof, "announcement": prove(entries[:2], 0, seen_at, key)}


def ours(record: Record, trust: Trust = TRUST) -> tuple[Attestation | None, Attestation | None]:
    """What the proofs of a record show; raises DayBroken and NotAttested."""
    text = json.encode(record)
    verify_day(text)
    read = parse_day_record(text)
    return attest_events(day_stream(read.day), read.proof, read.events, trust), attest_announcement(read, trust)


def test_both_verifiers_say_who_attests_a_day_and_who_saw_its_commitment_before(web_verifier: WebVerifier) -> None:
    record = proven(certified_day())
    closed, announced = ours(record)
    assert closed is not None
    assert announced is not None
    assert (closed.number, closed.size, closed.version, closed.key) == (3, 4, 3, KEY.verifier())
    assert (announced.number, announced.size, announced.version, announced.key) == (0, 2, 1, KEY.verifier())
    assert [(one.name, one.at_seconds) for one in announced.witnesses] == [(FRIEND.name, BEFORE // 1000 + 5)]
    said = web_verifier.verdict(json.encode(record), rules_of(CERTIFIED.game), HOST)
    assert (said.consistent, said.attested, said.witnessed, said.dated) == (True, True, (FRIEND.name,), (FRIEND.name,))
    assert said.checks["log"] == "holds"


def test_who_trusts_no_key_is_shown_nothing_and_who_trusts_another_refuses() -> None:
    record = proven(certified_day())
    for trust in (Trust(), Trust((), TRUST.witnesses)):
        assert [(one and (one.key, one.witnesses)) for one in ours(record, trust)] == [(None, ())] * 2
    with pytest.raises(NotAttested, match="not signed by the key"):
        ours(record, Trust((OTHER.verifier(),)))
    assert ours(certified_day()) == (None, None)


def forge(record: Record, forgery: str) -> Record:
    """A record with proofs that was changed by who has the database, and not the log of before."""
    changed = copy.deepcopy(record)
    match forgery:
        case "another commitment":
            changed["events"][0]["data"]["commitment"] = "ab" * 32
        case "announced earlier":
            changed["events"][0]["recorded_at"] -= 86_400_000
        case "another deal":
            changed["events"][0]["data"]["deals"][1]["game"] = "maze"
        case "another board":
            changed["events"][-1]["data"]["boards"]["day"] = "ab" * 32
        case "the proof of the close as that of the announcement":
            return {**changed, "announcement": changed["proof"]}
        case "the proof of the announcement as that of the close":
            return {**changed, "proof": changed["announcement"]}
    return {**chained_again(changed), "proof": record["proof"], "announcement": record["announcement"]}


@pytest.mark.parametrize(
    "forgery",
    [
        "another commitment",
        "announced earlier",
        "another deal",
        "another board",
        "the proof of the close as that of the announcement",
        "the proof of the announcement as that of the close",
    ],
)
def test_a_day_that_was_changed_after_it_was_logged_is_refused_by_both(web_verifier: WebVerifier, forgery: str) -> None:
    changed = forge(proven(certified_day()), forgery)
    with pytest.raises((DayBroken, NotAttested)):
        ours(changed)
    assert not web_verifier.verdict(json.encode(changed), rules_of(CERTIFIED.game), HOST).consistent


@pytest.mark.parametrize("early", [False, True])
def test_a_witness_who_saw_an_announcement_before_it_was_made_is_refused_by_both(
    web_verifier: WebVerifier, early: bool
) -> None:
    record = proven(certified_day(), BEFORE // 1000 - 60 - early)  # two clocks may differ by a minute
    assert web_verifier.verdict(json.encode(record), rules_of(CERTIFIED.game), HOST).consistent != early
    if early:
        with pytest.raises(NotAttested, match=r"friends\.example/witness signed it at .*, and it went on until"):
            ours(record)
    else:
        assert ours(record)[1] is not None


ODD: tuple[Any, ...] = (None, "", 0, "x", [], {}, "c2sp.org/tlog-proof@v1\n", True)


def mutant(record: Record, chance: random.Random) -> Record:
    """A record in which one thing is another one: a character of a proof, a whole proof, or a value of an event."""
    changed = copy.deepcopy(record)
    name = chance.choice(["proof", "announcement"])
    match chance.randrange(5):
        case 0 | 1:
            text = changed[name]
            place = chance.randrange(len(text))
            letter = chance.choice([one for one in "01Aaz+/= \n" if one != text[place]])
            changed[name] = text[:place] + letter + text[place + 1 :]
        case 2:
            changed[name] = copy.deepcopy(chance.choice(ODD))
        case 3:
            event = chance.choice(changed["events"])
            event["recorded_at"] += chance.choice([1, -1, 60_000, -61_000])
            changed = {**chained_again(changed), "proof": record["proof"], "announcement": record["announcement"]}
        case _:
            del changed[name]
    return changed


def test_both_verifiers_say_the_same_of_mutants_of_proven_days(web_verifier: WebVerifier) -> None:
    chance, counted = random.Random(32), Counter[str]()
    records = [proven(certified_day()), proven(beacon_day())]
    for _ in range(MUTANTS):
        record = mutant(chance.choice(records), chance)
        try:
            closed, announced = ours(record)
            is_attested = closed is not None and closed.key is not None
            said = (True, is_attested, announced is not None and len(announced.witnesses) > 0)
        except (DayBroken, NotAttested):
            said = (False, False, False)
        theirs = web_verifier.verdict(json.encode(record), rules_of(CERTIFIED.game), HOST)
        assert (theirs.consistent, theirs.attested, bool(theirs.dated)) == said, record
        counted[str(said)] += 1
    assert min(counted[str(said)] for said in ((True, True, True), (True, False, True), (True, True, False))) > 5
    assert counted[str((False, False, False))] > MUTANTS // 3


def test_the_commands_say_how_long_before_the_day_its_commitment_was_seen(tmp_path: Path) -> None:
    file, host = tmp_path / f"day-{DAY}.json", tmp_path / "host.json"
    host.write_bytes(json.encode(HOST))
    for seen_at, said in (
        (BEFORE // 1000 + 5, "2026-11-19 00:00:05+00:00, 23 hours and 59 minutes before the day began"),
        (BEFORE // 1000 + 86_405, "2026-11-20 00:00:05+00:00, after the day had begun"),
    ):
        file.write_bytes(json.encode(proven(certified_day(), seen_at)))
        for command in (["verify", str(file)], ["recompute", DAY, "--from", str(tmp_path)]):
            output = run(*command, "--trust", str(host)).output
            assert f"attested: entry 4 of 4 in the log {KEY.name}, signed by its key" in output
            assert f"dated: {FRIEND.name} saw the commitments and the deals in this log at {said}" in output
        found = json.decode(run("verify", str(file), "--trust", str(host), "--json").output)
        assert found["dated"] == [{"name": FRIEND.name, "at_seconds": seen_at}]
        code, answer = verify_in_node(file, "--trust", host)
        assert (code, answer["dated"], answer["attested"]["number"]) == (0, [{"name": FRIEND.name, "at": seen_at}], 3)
    unknown = run("verify", str(file)).output
    assert "whose key you have not given" in unknown
    assert "not dated: no witness whom you trust saw the announcement of the day before it began" in unknown
    file.write_bytes(json.encode(forge(proven(certified_day()), "another board")))
    for command in (["verify", str(file)], ["recompute", DAY, "--from", str(tmp_path)]):
        broken = run(*command, "--trust", str(host))
        assert (broken.exit_code, "its proof does not hold" in broken.output) == (1, True)
