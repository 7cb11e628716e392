"""Reads the names of all streams in pages. Missing events are detected."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.tables import events
from cadogan.server.eventlog.event_store import StreamIncomplete

STREAMS_PER_PAGE = 1000


def end_of(prefix: str) -> str:
    """Return the smallest text greater than every text that starts with `prefix`, which is not empty.

    >>> end_of("game/")
    'game0'
    """
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


async def complete_streams(connection: AsyncConnection, after: str = "", prefix: str = "") -> list[str]:
    """Return the names of the next page of streams after `after`, sorted byte by byte; empty at the end.

    With a prefix, only streams whose names begin with it are returned.

    Raises StreamIncomplete if one of them lacks an event before its last one.
    """
    counted = select(events.c.stream, func.count(), func.max(events.c.version)).where(events.c.stream > after)
    if prefix:
        counted = counted.where(events.c.stream >= prefix, events.c.stream < end_of(prefix))
    page = counted.group_by(events.c.stream).order_by(events.c.stream).limit(STREAMS_PER_PAGE)
    names = []
    for stream, count, last in await connection.execute(page):
        if count != last:
            raise StreamIncomplete(stream)
        names.append(stream)
    return names
