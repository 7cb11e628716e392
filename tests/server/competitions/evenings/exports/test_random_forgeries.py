"""Random forgeries of evenings with fitting hashes: what one verifier refuses, the other one does not call sound."""

import copy
import random
from collections import Counter
from typing import Any

import pytest

from cadogan.server.subjects.evenings.evening_record import EveningBroken, verify_evening
from tests.harness.exported_evenings import Exported, Record
from tests.harness.web_verifier import WebVerifier
from tests.server.audit.test_two_verifiers import leaves
from tests.server.competitions.evenings.exports.test_web_verifier import judge

FORGERIES = 60
"""Of each evening."""
NEEDS_THE_RULES = "the certificate of round"
"""Only who plays the line of a certificate finds that it does not win."""
ODD: tuple[Any, ...] = (
    None, True, 0, 1, -1, 2**53 - 1, "", "x", "é", "\u2028", "\U0010ffff", "0" * 64, [], {}, ["x"], {"__proto__": []},
    "evening_ended", "evening_finalised", "evening_entrant_left", "evening_round_voided", "all", "link",
)  # fmt: skip


def set_a_value(record: Record, chance: random.Random) -> None:
    *way, last = chance.choice([*leaves({name: record[name] for name in ("events", "runs", "standing")})])
    place: Any = record
    for key in way:
        place = place[key]
    value = place[last]
    is_number = isinstance(value, int) and chance.random() < 0.6
    place[last] = value + chance.choice([1, -1, 60_000, -60_000]) if is_number else copy.deepcopy(chance.choice(ODD))


def add_or_drop_a_key(record: Record, chance: random.Random) -> None:
    data = chance.choice(record["events"])["data"]
    if data and chance.random() < 0.5:
        del data[chance.choice([*data])]
    else:
        data[chance.choice(["x", "__proto__", "secret", "round", "by", "team"])] = copy.deepcopy(chance.choice(ODD))


def move_events(record: Record, chance: random.Random) -> None:
    events = record["events"]
    place, other = chance.randrange(len(events)), chance.randrange(len(events))
    match chance.randrange(4):
        case 0:
            del events[place]
        case 1:
            del events[place + 1 :]
        case 2:
            events.insert(place, copy.deepcopy(events[other]))
        case _:
            events[place], events[other] = events[other], events[place]
    at = 0
    for event in events:
        at = event["recorded_at"] = max(at, event["recorded_at"])


def exchange_players(record: Record, chance: random.Random) -> None:
    """Let an event be about somebody else who is in the record."""
    about = [one["data"] for one in record["events"] if "player" in one["data"]]
    chance.choice(about)["player"] = chance.choice(about)["player"]


CHANGES = (set_a_value, set_a_value, add_or_drop_a_key, move_events, exchange_players)


def forge(evening: Exported, chance: random.Random) -> None:
    """Change one or two things, and compute the hashes again where that is possible."""

    def change(record: Record) -> None:
        for _ in range(chance.choice([1, 1, 2])):
            chance.choice(CHANGES)(record, chance)

    before = evening.file.read_bytes()
    try:
        evening.forge(change)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
        evening.file.write_bytes(before)
        evening.change(change)  # a value of which nobody can compute the hash


def find_problem(evening: Exported) -> str | None:
    """Why the record of the evening is broken, without those of its runs; None if it is not."""
    try:
        verify_evening(evening.file.read_bytes(), evening.evening)
    except EveningBroken as problem:
        return str(problem)
    return None


@pytest.mark.heavy
@pytest.mark.usefixtures("beacon_library")
def test_what_one_verifier_refuses_the_other_does_not_call_sound(
    certified: Exported, match: Exported, arena: Exported, teams: Exported, web_verifier: WebVerifier
) -> None:
    said = Counter[str]()
    for number, evening in enumerate((certified, match, arena, teams)):
        chance, whole = random.Random(number), evening.file.read_bytes()
        for _ in range(FORGERIES):
            evening.file.write_bytes(whole)
            try:
                forge(evening, chance)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError):
                continue  # the first of two changes left nothing for the second
            text = evening.file.read_bytes()
            theirs = judge(web_verifier, evening)
            if (problem := find_problem(evening)) is not None:
                said["broken"] += 1
                assert not theirs.consistent or NEEDS_THE_RULES in problem, (problem, text)
                continue
            agrees = evening.recompute().agrees
            said[f"agrees: {agrees}"] += 1
            assert theirs.consistent or not agrees, (theirs, text)
    assert said["broken"] > 50
