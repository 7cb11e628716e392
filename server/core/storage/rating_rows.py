"""The rows of ratings in the database, which follow from the stream `ratings` alone."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from sqlalchemy import select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.tables import events, ratings
from cadogan.server.core.eventlog.events import Event, UnreadableEvent, decode_event
from cadogan.server.core.eventlog.rating_events import RatingKey, RatingRow, project_ratings
from cadogan.server.core.eventlog.streams import RATINGS

_KEY = tuple_(ratings.c.evening, ratings.c.pool, ratings.c.kind)


async def read_stream(connection: AsyncConnection, stream: str) -> list[tuple[Event, int]]:
    """Return the events of a stream, each with its `recorded_at`. Raises UnreadableEvent."""
    columns = (events.c.type, events.c.schema, events.c.data, events.c.recorded_at)
    chosen = select(*columns).where(events.c.stream == stream).order_by(events.c.version)
    rows = await connection.execute(chosen)
    try:
        return [(decode_event(*stored), recorded_at) for *stored, recorded_at in rows]
    except UnreadableEvent as error:
        raise UnreadableEvent(f"{stream}: {error}") from None


async def compare(connection: AsyncConnection) -> tuple[int, list[RatingKey]]:
    """Return how many rows follow from the log, and the lists whose rows are others. Raises UnreadableEvent."""
    right = {row for rows in (await _project(connection)).values() for row in rows}
    found = {RatingRow(**row._mapping) for row in await connection.execute(select(ratings))}
    return len(right), sorted({(row.evening, row.pool, row.kind) for row in right ^ found})


async def derive_again(connection: AsyncConnection, wanted: Sequence[RatingKey]) -> None:
    """Write the rows of these lists as the log has them, in place of those that are there."""
    known = await _project(connection)
    await replace(connection, {key: known.get(key, []) for key in wanted})


async def derive(connection: AsyncConnection) -> int:
    """Fill the table, which must be empty; return how many rows. Raises UnreadableEvent."""
    rows = [row for rows in (await _project(connection)).values() for row in rows]
    await _insert(connection, rows)
    return len(rows)


async def replace(connection: AsyncConnection, lists: dict[RatingKey, list[RatingRow]]) -> None:
    """Write these lists in place of those that are there."""
    await connection.execute(ratings.delete().where(_KEY.in_([*lists])))
    await _insert(connection, [row for rows in lists.values() for row in rows])


async def _project(connection: AsyncConnection) -> dict[RatingKey, list[RatingRow]]:
    return project_ratings([event for event, _ in await read_stream(connection, RATINGS)])


async def _insert(connection: AsyncConnection, rows: Iterable[RatingRow]) -> None:
    if written := [asdict(row) for row in rows]:
        await connection.execute(ratings.insert(), written)
