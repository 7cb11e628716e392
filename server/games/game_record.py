"""The record of a game: everything it takes to prove it offline, as one file.

Its form is `clients.wire.bodies.Record`. It holds the secret and every hash, so nobody gets it before
`standing.may_have_record` says so.
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import json

from clients.wire.bodies import Record, RecordedEvent
from server.eventlog.events import GameDealt, UnreadableEvent, decode_event
from server.games.game_state import Recorded, stream

FORMAT: Literal["cadogan record 1"] = "cadogan record 1"


def build(game_id: str, secret: bytes, events: Sequence[Recorded]) -> Record:
    """The record of a game, from its events, the first one on. Raises UnreadableEvent when they do not begin a game."""
    if not events:
        raise UnreadableEvent(f"game {game_id} has no events")
    dealt = decode_event(events[0].type, events[0].schema, events[0].data)
    if not isinstance(dealt, GameDealt):
        raise UnreadableEvent(f"game {game_id} does not begin with its deal")
    return Record(
        format=FORMAT,
        game=game_id,
        stream=stream(game_id),
        secret=secret.hex(),
        nonce=dealt.nonce,
        commitment=dealt.commitment,
        events=[entry(event) for event in events],
    )


def entry(event: Recorded) -> RecordedEvent:
    """An event as a record holds it."""
    return RecordedEvent(
        version=event.version,
        type=event.type,
        schema=event.schema,
        data=json.decode(event.data),
        recorded_at=event.recorded_at,
        hash=event.hash.hex(),
    )
