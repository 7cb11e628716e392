"""Random forgeries with fitting hashes: both verifiers give the same verdict wherever both can decide."""

import copy
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import json

from cadogan.server.subjects.audit import game_audit
from tests.harness.sample_records import KINDS, Record, rules_of
from tests.harness.web_verifier import WebVerifier
from tests.server.audit.test_game_audit import chained, resigned
from tests.server.audit.test_two_verifiers import leaves, slug_of

pytestmark = pytest.mark.usefixtures("beacon_library")

FORGERIES = 800
NEEDS_THE_RULES = re.compile(
    r"the rules do not allow event|event \d+ says (move_played|game_finished)|these are not the cards"
    r"|the record ends before game_finished|game_finished does not follow here"
)
"""What only who knows the rules of the game finds: an illegal move, a wrong score, a deal that depends on its cards."""
ODD: tuple[Any, ...] = (
    None, True, 0, 1, -1, 2**53 - 1, "", "x", "-0", "é", "\u2028", "\U0010ffff", "won", "AS", "-AS", "reversed", "up",
    "move_taken_back", "game_finished", "challenge_spoiled", "deal_revealed", "2026-11-20", "2026-11-20.2", "0" * 64,
    [], {}, ["x"], {"__proto__": []},
)  # fmt: skip


def set_a_value(record: Record, chance: random.Random) -> None:
    *way, last = chance.choice([*leaves(record)])
    place: Any = record
    for key in way:
        place = place[key]
    value = place[last]
    if isinstance(value, int) and chance.random() < 0.5:
        place[last] = value + chance.choice([1, -1, 60_000])
    elif isinstance(value, str) and chance.random() < 0.5:
        words = value.split(" ")
        words[chance.randrange(len(words))] = chance.choice(
            ["0", "1", "-1", "01", "stock", "tableau.0", "down", "kept", ""]
        )
        place[last] = " ".join(words)
    else:
        place[last] = copy.deepcopy(chance.choice(ODD))


def add_or_drop_a_key(record: Record, chance: random.Random) -> None:
    data = chance.choice(record["events"])["data"]
    if data and chance.random() < 0.5:
        del data[chance.choice([*data])]
    else:
        data[chance.choice(["x", "__proto__", "secret", "deal"])] = copy.deepcopy(chance.choice(ODD))


def move_events(record: Record, chance: random.Random) -> None:
    events = record["events"]
    place = chance.randrange(len(events))
    match chance.randrange(4):
        case 0:
            del events[place]
        case 1:
            del events[place + 1 :]
        case 2:
            events.insert(place, copy.deepcopy(chance.choice(events)))
        case _:
            other = chance.randrange(len(events))
            events[place], events[other] = events[other], events[place]
    number_again(record)


def splice(record: Record, chance: random.Random) -> None:
    other = copy.deepcopy(chance.choice(RECORDS)["events"])
    place = chance.randrange(1, len(record["events"]) + 1)
    record["events"][place:] = other[min(place, len(other)) :] if chance.random() < 0.5 else [chance.choice(other)]
    number_again(record)


def rearrange_the_cards(record: Record, chance: random.Random) -> None:
    piles = record["events"][0]["data"]["piles"]
    cards = piles[chance.choice([*piles])]
    chance.shuffle(cards)
    if chance.random() < 0.5:
        cards[-1] = cards[-1].removeprefix("-") if cards[-1].startswith("-") else f"-{cards[-1]}"


def number_again(record: Record) -> None:
    at = 0
    for version, event in enumerate(record["events"], 1):
        at = max(at, event["recorded_at"])
        event.update(version=version, recorded_at=at)


CHANGES: tuple[Callable[[Record, random.Random], None], ...] = (
    set_a_value,
    set_a_value,
    add_or_drop_a_key,
    move_events,
    splice,
    rearrange_the_cards,
)
RECORDS = [make() for make in KINDS.values()] + [resigned(slug) for slug in ("maze", "carpet", "sly", "mill")]


def forged(chance: random.Random) -> Record:
    record = copy.deepcopy(chance.choice(RECORDS))
    for _ in range(chance.choice([1, 1, 2])):
        try:
            chance.choice(CHANGES)(record, chance)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            break  # the change before this one left nothing to change here
    try:
        return chained(record) if chance.random() < 0.9 else record
    except (KeyError, TypeError):
        return record


def game_of(record: Record) -> str:
    """The game by whose rules a forgery is to be read; any where it names none."""
    named = record["events"][0]["data"] if record["events"] else {}
    slug = named.get("game") if isinstance(named, dict) else None
    return slug if slug in {*map(slug_of, RECORDS)} else "maze"


def test_both_verifiers_say_the_same_of_random_forgeries(web_verifier: WebVerifier) -> None:
    chance, rules = random.Random(20261120), {slug: rules_of(slug) for slug in map(slug_of, RECORDS)}
    records = [forged(chance) for _ in range(FORGERIES)]
    texts = [json.encode(record) for record in records]
    asked = [(text, rules[game_of(record)]) for text, record in zip(texts, records, strict=True)]
    said = Counter[str]()
    for text, by_rules in asked:
        theirs = web_verifier.verdict(text, by_rules)
        ours = game_audit.verify(text)
        if NEEDS_THE_RULES.match(ours.reason):
            said["only the rules show it"] += 1
            assert theirs.broken_at is None or (ours.broken_at or 0) <= theirs.broken_at, text
        else:
            said[f"consistent: {ours.consistent}"] += 1
            assert (theirs.consistent, theirs.broken_at) == (ours.consistent, ours.broken_at), (ours, text)
    assert min(said.values()) > 20
    assert len(said) == 3
