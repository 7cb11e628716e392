"""The record of a game (`docs/record.md`), and the pace of a finished run.

The record of a game: one file with everything that an offline verifier needs (`docs/record.md`).

Its schema is `cadogan.wire.bodies.Record`. It holds the secret and every hash, so it is only sent when
`cadogan.server.core.games.visibility` allows it.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import DecodeError, json
from msgspec.structs import replace

from cadogan.server.core.eventlog.events import GameDealt, GameFinished, UnreadableEvent, decode_event
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.games.game_state import Recorded, Step
from cadogan.wire.beacon import SignedRound
from cadogan.wire.bodies import Record, RecordedEvent

FORMAT: Literal["cadogan record 1"] = "cadogan record 1"


def build_record(game_id: str, secret: bytes, events: Sequence[Recorded], beacon: SignedRound | None = None) -> Record:
    """Return the record of a game. `events` are all of its events, from the first one on.

    `beacon` is the beacon round that was combined with the secret to derive the cards, if there was one.

    Raises UnreadableEvent if the first event is not the deal.
    """
    if not events:
        raise UnreadableEvent(f"game {game_id} has no events")
    dealt = decode_event(events[0].type, events[0].schema, events[0].data)
    if not isinstance(dealt, GameDealt):
        raise UnreadableEvent(f"game {game_id} does not begin with its deal")
    empty = record_without_events(game_id, secret, dealt, beacon)
    return replace(empty, events=[recorded_event(event) for event in events])


def record_without_events(game_id: str, secret: bytes, dealt: GameDealt, beacon: SignedRound | None = None) -> Record:
    """Return the record of a game, except for its events."""
    return Record(
        format=FORMAT,
        game=game_id,
        stream=game_stream(game_id),
        secret=secret.hex(),
        nonce=dealt.nonce,
        commitment=dealt.commitment,
        beacon=beacon,
        events=[],
    )


def recorded_event(event: Recorded) -> RecordedEvent:
    """Return an event in the format of a record. Raises UnreadableEvent if its data is no JSON object."""
    try:
        data = json.decode(event.data, type=dict[str, Any])
    except (DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableEvent(f"the data of event {event.version} cannot be read: {error}") from None
    return RecordedEvent(
        version=event.version,
        type=event.type,
        schema=event.schema,
        data=data,
        recorded_at=event.recorded_at,
        hash=event.hash.hex(),
    )


PacePoint = tuple[int, int, int]
"""Milliseconds since the deal, cards home, score."""


class PaceRecorder:
    """Computes the points of one game: the deal, every change of cards home or score, and the end."""

    def __init__(self) -> None:
        self._last: PacePoint | None = None

    def add(self, step: Step) -> list[PacePoint]:
        """Return the points that this step adds. Add every step of the game, in order, from the deal on."""
        now = step.after
        point = (now.changed_at - now.dealt_at, now.position.home, now.position.score)
        if isinstance(step.event, GameFinished):
            return [(step.event.milliseconds, *point[1:])]
        if self._last is not None and point[1:] == self._last[1:]:
            return []
        self._last = point
        return [point]
