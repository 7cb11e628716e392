"""Merkle roots: one hash a day over every stream whose cards are no longer secret, to prove that a backup is complete.

The root of a day covers everything that was revealed before the day began. It follows from the log alone, whenever and
wherever it is computed. A stream is included once an event has revealed the secret of its deal: of a casual game when
the game is over, of a day when the day is closed, of a race when all games of the race have ended. Streams whose cards
are still secret are left out, because a hash over hidden cards would let somebody test guesses. The tree itself is in
`server.fairness.merkle_tree`.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core import dates
from server.database.connections import Database
from server.database.tables import events
from server.eventlog.events import UnreadableEvent
from server.fairness.merkle_tree import MerkleTree
from server.fairness.revealed import REVEALED_ITSELF, REVEALING_EVENTS, revealed_by
from server.storage.stream_pages import complete_streams, end_of

SETTLE_MILLISECONDS = 60_000
"""How long after the beginning of a day the root is computed. By then every node has written to the log what it
recorded before that day, even if its clock is a little wrong."""


class Root(NamedTuple):
    """The root in hex, over the `streams` streams that were revealed before the day began.

    `at` is when the day began, in milliseconds since 1970.
    """

    day: str
    at: int
    streams: int
    root: str


async def root_of(connection: AsyncConnection, day: str) -> Root:
    """Return the root of a day. It may still change until `SETTLE_MILLISECONDS` after the beginning of the day.

    The streams are read page by page, so that no statement takes long however large the log is. Raises
    StreamIncomplete if an event is missing in the log: a root over the rest would be a wrong one.
    """
    at = dates.day_times(day, 0).opens_at
    revealed = await _revealed(connection, at)
    tree, after = MerkleTree(), ""
    while names := await complete_streams(connection, after):
        for stream, first, version, kind, head in await connection.execute(_heads(at, names)):
            if kind == REVEALED_ITSELF or revealed_by(stream, first) in revealed:
                tree.add(stream, version, head)
        after = names[-1]
    return Root(day, at, tree.count, tree.root().hex())


async def last_root(connection: AsyncConnection) -> Root | None:
    """Return the root of the day of the log's last event; None for an empty log. Raises UnreadableEvent."""
    last = await connection.scalar(select(func.max(events.c.recorded_at)))
    if last is not None and not 0 <= last <= dates.LAST_MOMENT:
        raise UnreadableEvent(f"an event was recorded at {last}, which is in no year that has four digits")
    return None if last is None else await root_of(connection, dates.day_of(last))


async def _revealed(connection: AsyncConnection, at: int) -> set[str]:
    """Return the streams of the days and races whose secret was revealed before this moment."""
    found = or_(*(and_(_begins(prefix), events.c.type == kind) for prefix, kind in REVEALING_EVENTS.items()))
    return {*await connection.scalars(select(events.c.stream).where(found, events.c.recorded_at < at))}


def _heads(at: int, names: Sequence[str]) -> Select[tuple[str, str, int, str, bytes]]:
    """Return the query for streams as they were at this moment, from the first of these sorted names to the last.

    It gives each stream's name, the data of its first event, and the version, type and hash of its last event.
    """
    of_page = and_(events.c.stream >= names[0], events.c.stream <= names[-1])
    begun = select(events.c.stream, events.c.data).where(of_page, events.c.version == 1, events.c.recorded_at < at)
    first = begun.subquery()
    recorded = events.alias("recorded")
    last = select(recorded.c.version).where(recorded.c.stream == first.c.stream, recorded.c.recorded_at < at)
    version = last.order_by(recorded.c.version.desc()).limit(1).scalar_subquery()
    is_head = and_(events.c.stream == first.c.stream, events.c.version == version)
    shown = select(first.c.stream, first.c.data, events.c.version, events.c.type, events.c.hash)
    return shown.join_from(first, events, is_head).order_by(first.c.stream)


def _begins(prefix: str) -> ColumnElement[bool]:
    return and_(events.c.stream >= prefix, events.c.stream < end_of(prefix))


class MerkleRoots:
    """The latest root of a server, computed when it is first needed on a day.

    `now` returns the time in milliseconds since 1970.
    """

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._latest: Root | None = None
        self._lock = asyncio.Lock()

    async def latest(self) -> Root:
        """Return the root of today; in the first minute of the day that of yesterday."""
        now = self._now()
        day = dates.day_of(now - SETTLE_MILLISECONDS)
        async with self._lock:
            if self._latest is None or self._latest.day != day:
                async with self._database.reading() as connection:
                    self._latest = await root_of(connection, day)
            return self._latest
