"""Records of days, created by the server's own code from known secrets, with and without certificates.

`python -m tests.harness.sample_records` writes the first one for the web client's tests.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec import json, structs

from cadogan import engine
from cadogan.server.core import dates
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import NewEvent
from cadogan.server.core.eventlog.events import (
    AnnouncedDeal,
    Certificate,
    DailyAnnounced,
    DailyClosed,
    DailyDrawn,
    DailyOpened,
    DealSearch,
    Event,
    LineMove,
    canonical_json,
    encode_event,
)
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.certificates import certificate_seal
from cadogan.server.core.fairness.commit_reveal import commitment, daily_nonce, round_at, round_digest
from cadogan.server.subjects.daily.day_record import build_day_record
from cadogan.wire.beacon import BeaconRound, SignedRound
from cadogan.wire.codec import encode
from tests.harness.drand_chain import DrandChain
from tests.harness.game_steps import DAY, SECRET

Record = dict[str, Any]
CERTIFIED = AnnouncedDeal(1, "easy", "caesar", f"{DAY}.1", DealSearch(2, 60))
UNCERTIFIED = AnnouncedDeal(2, "hard", "klondike", f"{DAY}.2")
SPAN = dates.day_times(DAY, 0)
BEFORE = SPAN.opens_at - dates.MILLISECONDS_PER_DAY
"""A day before the day: when it is announced."""
TIMES = {
    "daily_announced": BEFORE,
    "daily_drawn": SPAN.opens_at + 5000,
    "daily_opened": SPAN.opens_at + 8000,
    "daily_closed": SPAN.ends_at + 3_610_000,
}
BOARDS = {f"{DAY}.1": "ab" * 32, f"{DAY}.2": "cd" * 32, "day": "ef" * 32}


@cache
def certificate() -> Certificate:
    """The certificate of the first deal, by version 2 of the solver. It stays fixed if the solver changes."""
    return _certificate(2, 21, "cell.4~cell.5 cell.0~cell.8 cell.6~cell.7 cell.1~cell.2 cell.5~cell.8 cell.0~cell.3")


@cache
def beacon_certificate() -> Certificate:
    """The certificate of the first deal if its cards also depend on the beacon round."""
    line = "cell.0~cell.4 cell.2~cell.3 cell.2~cell.7 cell.2~cell.5 cell.5~cell.8 cell.0~cell.3"
    return _certificate(3, 33, line, round_digest(signed_round()))


def _certificate(candidate: int, nodes: int, moves: str, digest: str | None = None) -> Certificate:
    game = engine.game(CERTIFIED.game)
    seed = commit_reveal.seed(CERTIFIED.game, daily_nonce(CERTIFIED.deal, candidate, digest), SECRET)
    state, line = game.deal(seed), []
    for move in moves.split():
        played = game.play(state, game.move(move), seed)
        line.append(LineMove(move, tuple(map(game.effect_text, played.effects))))
        state = played.state
    return Certificate(CERTIFIED.deal, candidate, game.rules_version, nodes, tuple(line))


def certified_day() -> Record:
    """A day whose first deal is certified."""
    return day_with(certificate())


def day_with(shown: Certificate, seal: str | None = None, announced: AnnouncedDeal = CERTIFIED) -> Record:
    """The record of a day with this certificate, and by default with its commitment; its hashes are valid."""
    return recorded(
        [
            DailyAnnounced(DAY, commitment(SECRET), (announced, UNCERTIFIED)),
            DailyOpened({CERTIFIED.deal: seal or certificate_seal(SECRET, shown)}),
            DailyClosed(SECRET.hex(), BOARDS, (shown,)),
        ]
    )


def signed_round() -> SignedRound:
    """The round, of the tests' own chain, with which the day begins."""
    chain = DrandChain()
    return chain.sign(round_at(chain.chain, dates.day_times(DAY, 0).opens_at))


def nonce_end(candidate: int, signed: SignedRound | None = None) -> str:
    """Return the suffix of a deal's nonce for a candidate and a round."""
    return daily_nonce("", candidate, round_digest(signed or signed_round()))


def beacon_day() -> Record:
    """A day whose cards also depend on a beacon round, and whose first deal was certified after it."""
    found = beacon_certificate()
    return recorded(
        [
            announced_with_beacon(),
            DailyDrawn(signed_round().signature),
            DailyOpened({CERTIFIED.deal: certificate_seal(SECRET, found)}),
            DailyClosed(SECRET.hex(), BOARDS, (found,)),
        ]
    )


def beaconless_day() -> Record:
    """A day with an announced round, whose beacon was unavailable for too long."""
    return recorded([announced_with_beacon(), DailyDrawn(None), DailyOpened(), DailyClosed(SECRET.hex(), BOARDS)])


def announced_with_beacon() -> DailyAnnounced:
    """The announcement of a day with a round."""
    one = signed_round()
    announced = BeaconRound(chain=one.chain, round=one.round)
    return DailyAnnounced(DAY, commitment(SECRET), (CERTIFIED, UNCERTIFIED), announced)


def uncertified_day() -> Record:
    """A day whose certificate was not ready."""
    announced = DailyAnnounced(DAY, commitment(SECRET), (CERTIFIED, UNCERTIFIED))
    return recorded([announced, DailyOpened(), DailyClosed(SECRET.hex(), BOARDS)])


def struck_day() -> Record:
    """A day with a run that was disqualified before its close."""
    announced = DailyAnnounced(DAY, commitment(SECRET), (UNCERTIFIED,))
    return recorded([announced, DailyOpened(), DailyClosed(SECRET.hex(), BOARDS, struck={"bobs-game": "cheating"})])


def old_day() -> Record:
    """A day in the format before certificates existed."""
    deal = {"slot": 2, "level": "hard", "game": "klondike", "deal": f"{DAY}.2"}
    return chained(
        [
            (
                "daily_announced",
                1,
                {"day": DAY, "commitment": commitment(SECRET), "deals": [deal]},
                TIMES["daily_announced"],
            ),
            ("daily_opened", 1, {}, TIMES["daily_opened"]),
            ("daily_closed", 1, {"secret": SECRET.hex(), "boards": BOARDS}, TIMES["daily_closed"]),
        ]
    )


def recorded(events: Iterable[Event]) -> Record:
    """The record of a day with these events, each at its usual time."""
    encoded = [encode_event(event) for event in events]
    return chained([(name, schema, json.decode(data), TIMES[name]) for name, schema, data in encoded])


def chained(events: Iterable[tuple[str, int, Any, int]]) -> Record:
    """The record of a day with these events, given by type, schema, data and time, with valid hashes."""
    log: list[NewEvent] = []
    for version, (name, schema, data, at) in enumerate(events, 1):
        before = log[-1].hash if log else hash_chain.START_HASH
        text = canonical_json(data)
        digest = hash_chain.event_hash(before, day_stream(DAY), version, name, schema, text, at)
        log.append(NewEvent(version, name, schema, text, at, digest))
    record = build_day_record(DAY, log)
    assert record is not None
    read: Record = json.decode(encode(record))
    return read


def chained_again(record: Record) -> Record:
    """A changed record with recomputed hashes."""
    return chained([(one["type"], one["schema"], one["data"], one["recorded_at"]) for one in record["events"]])


def forged(**changes: Any) -> Record:
    """A day whose certificate was changed before its commitment was made."""
    return day_with(structs.replace(certificate(), **changes))
