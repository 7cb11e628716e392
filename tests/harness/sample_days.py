"""Records of days, made by the server's own code from known secrets: one with a certified deal, and one of before that.

`python -m tests.harness.sample_records` writes the first one for the web client's tests.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import json, structs

import engine
from clients.wire.codec import encode
from server.audit.day_audit import build_day_record
from server.eventlog import hash_chain
from server.eventlog.event_store import NewEvent
from server.eventlog.events import (
    AnnouncedDeal,
    Certificate,
    DailyAnnounced,
    DailyClosed,
    DailyOpened,
    DealSearch,
    Event,
    LineMove,
    canonical_json,
    encode_event,
)
from server.eventlog.streams import day_stream
from server.fairness import commit_reveal
from server.fairness.certificates import certificate_seal
from server.fairness.commit_reveal import commitment
from server.fairness.deal_ids import daily_nonce
from tests.harness.game_steps import DAY, SECRET, START

Record = dict[str, Any]
CERTIFIED = AnnouncedDeal(1, "easy", "caesar", f"{DAY}.1", DealSearch(2, 60))
UNCERTIFIED = AnnouncedDeal(2, "hard", "klondike", f"{DAY}.2")
BOARDS = {f"{DAY}.1": "ab" * 32, f"{DAY}.2": "cd" * 32, "day": "ef" * 32}


@cache
def certificate() -> Certificate:
    """That of the first deal: what version 2 of the solver found. It stays as it is when the solver changes."""
    game, candidate = engine.game(CERTIFIED.game), 2
    seed = commit_reveal.seed(CERTIFIED.game, daily_nonce(CERTIFIED.deal, candidate), SECRET)
    state, line = game.deal(seed), []
    for move in ("cell.4~cell.5", "cell.0~cell.8", "cell.6~cell.7", "cell.1~cell.2", "cell.5~cell.8", "cell.0~cell.3"):
        played = game.play(state, game.move(move), seed)
        line.append(LineMove(move, tuple(map(game.effect_text, played.effects))))
        state = played.state
    return Certificate(CERTIFIED.deal, candidate, game.rules_version, 21, tuple(line))


def certified_day() -> Record:
    """A day whose first deal was certified."""
    return day_with(certificate())


def day_with(shown: Certificate, seal: str | None = None, announced: AnnouncedDeal = CERTIFIED) -> Record:
    """The record of a day with this certificate, and with its seal unless another is given; its hashes fit."""
    return recorded(
        [
            DailyAnnounced(DAY, commitment(SECRET), (announced, UNCERTIFIED)),
            DailyOpened({CERTIFIED.deal: seal or certificate_seal(SECRET, shown)}),
            DailyClosed(SECRET.hex(), BOARDS, (shown,)),
        ]
    )


def uncertified_day() -> Record:
    """A day whose certificate was not ready."""
    announced = DailyAnnounced(DAY, commitment(SECRET), (CERTIFIED, UNCERTIFIED))
    return recorded([announced, DailyOpened(), DailyClosed(SECRET.hex(), BOARDS)])


def old_day() -> Record:
    """A day as it was written before there were certificates."""
    deal = {"slot": 2, "level": "hard", "game": "klondike", "deal": f"{DAY}.2"}
    return chained(
        [
            (
                "daily_announced",
                1,
                {"day": DAY, "commitment": commitment(SECRET), "deals": [deal]},
            ),
            ("daily_opened", 1, {}),
            ("daily_closed", 1, {"secret": SECRET.hex(), "boards": BOARDS}),
        ]
    )


def recorded(events: Iterable[Event]) -> Record:
    """The record of a day with these events."""
    encoded = [encode_event(event) for event in events]
    return chained([(name, schema, json.decode(data)) for name, schema, data in encoded])


def chained(events: Iterable[tuple[str, int, Any]]) -> Record:
    """The record of a day with these events, given by type, schema and data, with fitting hashes."""
    log: list[NewEvent] = []
    for version, (name, schema, data) in enumerate(events, 1):
        before = log[-1].hash if log else hash_chain.START_HASH
        text = canonical_json(data)
        digest = hash_chain.event_hash(before, day_stream(DAY), version, name, schema, text, START + version)
        log.append(NewEvent(version, name, schema, text, START + version, digest))
    record = build_day_record(DAY, log)
    assert record is not None
    read: Record = json.decode(encode(record))
    return read


def chained_again(record: Record) -> Record:
    """A record that was changed, with fitting hashes."""
    return chained([(one["type"], one["schema"], one["data"]) for one in record["events"]])


def forged(**changes: Any) -> Record:
    """A day whose certificate was changed before it was sealed."""
    return day_with(structs.replace(certificate(), **changes))
