"""Sample events and rows for an event store, which does not interpret them."""

from cadogan.server.core.eventlog.event_store import Append, NewEvent, StoredEvent, StoreError
from cadogan.server.core.eventlog.projections import EntryRow, GameRow, Row


def event(version: int, data: str = '{"move":"draw"}') -> NewEvent:
    return NewEvent(version, "move_played", 1, data, 1_700_000_000_000 + version, bytes([version % 256]) * 32)


def append(
    stream: str, version: int, command_id: str | None = None, events: int = 1, rows: tuple[Row, ...] = ()
) -> Append:
    return Append(stream, command_id, tuple(event(version + n) for n in range(events)), rows)


def stored(event: StoredEvent) -> NewEvent:
    """Return an event without the fields that the log added."""
    return NewEvent(event.version, event.type, event.schema, event.data, event.recorded_at, event.hash)


def game_row(identity: str, player: str = "ann", deal: str = "d1", ranked: bool = False) -> GameRow:
    return GameRow(
        identity, "maze", player, deal, None, None, None, ranked, "playing", None, None, None, 1_700_000_000_000, None
    )


def entry_row(identity: str, score: int = 52) -> EntryRow:
    return EntryRow(
        identity,
        "2026-11-20.1",
        "2026-11-20",
        1,
        "maze",
        "ann",
        "won",
        score,
        1250,
        80,
        61_000,
        60_000,
        1_700_000_061_000,
    )


async def outcome(appending: object) -> type[StoreError] | None:
    """Return the type of error that an append raises, or None if it succeeds."""
    try:
        await appending  # type: ignore[misc]
    except StoreError as error:
        return type(error)
    return None
