"""Ended streams in the order of the transparency log: a durable feed with a cursor for each reader.

The log numbers what ends in one transaction after another, so a number is a position that nothing can come before
later. A reader is a part of the server, not a node: whichever node is first reads on. Two nodes may read the same at
once, and a page is read again if a node stops in the middle of it, so the work of a reader must be repeatable.
"""

from collections.abc import AsyncIterator

from sqlalchemy import func, or_, select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import upsert
from cadogan.server.core.database.tables import feed_cursors, log_entries
from cadogan.server.core.eventlog.streams import DAYS, day_stream

PAGE = 500
"""Entries that are read at once."""
WRITE_EVERY = 1000
"""Entries after which a cursor is stored that passes only what its reader does not want."""
MAX_BACKLOG_ENTRIES = 5000
"""A reader with a backlog of this many entries, such as a new one, skips old entries."""


class EndedFeed:
    """The feed of one database, as one node reads it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._passed: dict[str, int] = {}

    async def read(self, reader: str, *kinds: str, first_day: str | None = None) -> AsyncIterator[list[str]]:
        """Yield pages of streams of these kinds (`eventlog.streams`) that have ended since the reader's cursor.

        A page counts as read once the next one is asked for. A reader that is far behind begins after the end of the
        last day before `first_day`, or without one, with the last `PAGE` entries.
        """
        cursor = await self._database.fetch_value(
            select(feed_cursors.c.position).where(feed_cursors.c.reader == reader)
        )
        stored = cursor or 0
        position = max(stored, self._passed.get(reader, 0))
        size = await self._database.fetch_value(select(func.coalesce(func.max(log_entries.c.number) + 1, 0)))
        if size - position >= MAX_BACKLOG_ENTRIES:
            position = max(position, size - PAGE if first_day is None else await self._find_end_before(first_day))
        wanted = or_(*(log_entries.c.stream.startswith(kind) for kind in kinds))
        entries = select(log_entries.c.number, log_entries.c.stream).where(wanted, log_entries.c.number < size)
        while position < size:
            page = entries.where(log_entries.c.number >= position).order_by(log_entries.c.number).limit(PAGE)
            rows = await self._database.fetch(page)
            if rows:
                yield [row.stream for row in rows]
            position = rows[-1].number + 1 if len(rows) == PAGE else size
            self._passed[reader] = position
            if rows or position >= stored + WRITE_EVERY:
                await self._move(reader, position)
                stored = position

    async def _find_end_before(self, first_day: str) -> int:
        earlier = log_entries.c.stream.startswith(DAYS) & (log_entries.c.stream < day_stream(first_day))
        last = select(log_entries.c.number).where(earlier).order_by(log_entries.c.stream.desc()).limit(1)
        return await self._database.fetch_value(last) or 0

    async def _move(self, reader: str, position: int) -> None:
        async with self._database.writing() as connection:
            moved = upsert(feed_cursors, connection.dialect).values(reader=reader, position=position)
            await connection.execute(moved)
