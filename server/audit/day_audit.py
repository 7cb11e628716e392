"""The record of a closed day: its announcement, its secret and the digests of its boards, with their hash chain.

It is exported as one file beside the records of the games. `cadogan recompute` compares the boards that follow from
those games with these digests.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from clients.wire.bodies import RecordedEvent
from server.audit.strict_json import UnreadableJson, read_json
from server.eventlog import hash_chain
from server.eventlog.event_store import require_contiguous
from server.eventlog.events import DailyAnnounced, DailyClosed, UnreadableEvent, canonical_json, decode_event
from server.eventlog.streams import day_stream
from server.fairness import commit_reveal
from server.games.game_record import recorded_event
from server.games.game_state import Recorded

FORMAT: Literal["cadogan day 1"] = "cadogan day 1"


class DayRecord(msgspec.Struct, frozen=True):
    """All events of a closed day, from the first one on."""

    format: Literal["cadogan day 1"]
    day: str
    events: list[RecordedEvent]


class VerifiedDay(NamedTuple):
    """What a verified record says of a day: what was announced, and what was published when the day closed."""

    announced: DailyAnnounced
    closed: DailyClosed

    @property
    def deals(self) -> list[str]:
        """The ids of the day's deals."""
        return [one.deal for one in self.announced.deals]


class DayBroken(Exception):
    """A day's record that is broken. The text says why."""


def file_name(day: str) -> str:
    """Return the name of a day's file among exported records."""
    return f"day-{day}.json"


def build_day_record(day: str, events: Sequence[Recorded]) -> DayRecord | None:
    """Return the record of a day from all its events; None if the day is not closed. Raises StreamIncomplete."""
    require_contiguous(day_stream(day), 0, events)
    if not events or events[-1].type != "daily_closed":
        return None
    return DayRecord(FORMAT, day, [recorded_event(event) for event in events])


def verify_day(day: str, text: bytes) -> VerifiedDay:
    """Verify the record of this day in these bytes of a file, and return what it says. Raises DayBroken."""
    try:
        record = msgspec.convert(read_json(text), DayRecord)
    except (UnreadableJson, msgspec.ValidationError) as error:
        raise DayBroken(f"this is not the record of a day: {error}") from None
    if record.day != day:
        raise DayBroken(f"it is the record of {record.day}")
    announced = closed = None
    before = hash_chain.START_HASH
    for place, one in enumerate(record.events, 1):
        data = canonical_json(one.data)
        before = hash_chain.event_hash(before, day_stream(day), place, one.type, one.schema, data, one.recorded_at)
        if (one.version, one.hash) != (place, before.hex()):
            raise DayBroken(f"the hash of event {place} does not fit what it says and what came before it")
        try:
            event = decode_event(one.type, one.schema, data)
        except UnreadableEvent as error:
            raise DayBroken(str(error)) from None
        announced = event if isinstance(event, DailyAnnounced) else announced
        closed = event if isinstance(event, DailyClosed) else closed
    if announced is None or closed is None:
        raise DayBroken("it does not hold the events from the announcement of the day to its close")
    try:
        fits = commit_reveal.commitment(bytes.fromhex(closed.secret)) == announced.commitment
    except ValueError:
        fits = False
    if not fits:
        raise DayBroken("the secret does not fit the commitment")
    return VerifiedDay(announced, closed)
