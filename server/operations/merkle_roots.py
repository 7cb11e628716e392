"""Merkle roots: one hash a day over all streams whose cards are revealed, to prove that a backup is complete.

The root of a day covers everything that was revealed before the day began. It is a function of the log alone. A stream
is included once an event has revealed the secret of its deal: for a casual game when the game is over, for a day when
the day is closed, for a race when all its games have ended. Streams with secret cards are left out, because a hash over
hidden cards would allow guesses to be tested. An archived game is still included: its last version and hash are kept.
`cadogan.server.core.fairness.log_root` builds the tree.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import archived_games, events
from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.fairness.log_root import REVEALING_EVENTS, SELF_REVEALING_EVENT, MerkleTree, revealed_by
from cadogan.server.core.shares import SharedLock
from cadogan.server.core.storage.sql_store import complete_streams, end_of

SETTLE_MILLISECONDS = 60_000
"""The delay after the beginning of a day before its root is computed. By then every node has written its events of the
previous day, even if its clock is slightly wrong."""


class Root(NamedTuple):
    """The root in hex, over the `streams` streams that were revealed before the day began.

    `at` is when the day began, in milliseconds since 1970.
    """

    day: str
    at: int
    streams: int
    root: str


async def root_of(connection: AsyncConnection, day: str) -> Root:
    """Return the root of a day. It is final `SETTLE_MILLISECONDS` after the beginning of the day.

    The streams are read in pages, to keep each statement short however large the log is. Raises StreamIncomplete if the
    log lacks an event, because the root would be wrong.
    """
    at = dates.day_times(day, 0).opens_at
    revealed = await _revealed(connection, at)
    tree, after, is_last = MerkleTree(), "", False
    while not is_last:
        names = await complete_streams(connection, after)
        is_last = not names
        leaves = [tuple(row) for row in await connection.execute(_archived(at, after, None if is_last else names[-1]))]
        for stream, first, version, kind, head in await _heads(connection, at, names) if names else ():
            if kind == SELF_REVEALING_EVENT or revealed_by(stream, first) in revealed:
                leaves.append((stream, version, head))
        for leaf in sorted(leaves):
            tree.add(*leaf)
        after = "" if is_last else names[-1]
    return Root(day, at, tree.count, tree.root().hex())


def _archived(at: int, after: str, until: str | None) -> Select[tuple[str, int, bytes]]:
    """Return the query for archived streams, in a range of names, that were revealed before `at`."""
    archived = archived_games.c
    chosen = select(archived.stream, archived.version, archived.hash).where(
        archived.stream > after, archived.revealed_at < at
    )
    return chosen if until is None else chosen.where(archived.stream <= until)


async def last_root(connection: AsyncConnection) -> Root | None:
    """Return the root of the day of the log's last event; None if the log is empty. Raises UnreadableEvent."""
    last = await connection.scalar(select(func.max(events.c.recorded_at)))
    if last is not None and not 0 <= last <= dates.LAST_MOMENT:
        raise UnreadableEvent(f"an event was recorded at {last}, which is in no year that has four digits")
    return None if last is None else await root_of(connection, dates.day_of(last))


async def _revealed(connection: AsyncConnection, at: int) -> set[str]:
    """Return the streams of the days and races whose secret was revealed before `at`."""
    found = or_(*(and_(_begins(prefix), events.c.type == kind) for prefix, kind in REVEALING_EVENTS.items()))
    return {*await connection.scalars(select(events.c.stream).where(found, events.c.recorded_at < at))}


async def _heads(connection: AsyncConnection, at: int, names: Sequence[str]) -> list[tuple[str, str, int, str, bytes]]:
    """Return the state of these streams at the time `at`; `names` are sorted, and the range from first to last is read.

    Each is the name, the data of the first event, and the version, type and hash of the last event. Most streams have
    not changed since, so the index has their last versions. The others are queried again.
    """
    of_page = and_(events.c.stream >= names[0], events.c.stream <= names[-1])
    heads = [tuple(row) for row in await connection.execute(_select_heads(at, of_page))]
    begun = select(events.c.stream).where(of_page, events.c.version == 1, events.c.recorded_at < at)
    later = [*{*await connection.scalars(begun)}.difference(stream for stream, *_ in heads)]
    if later:
        before = and_(events.c.stream.in_(later), events.c.recorded_at < at)
        heads += [tuple(row) for row in await connection.execute(_select_heads(at, before))]
    return heads


def _select_heads(at: int, among: ColumnElement[bool]) -> Select[tuple[str, str, int, str, bytes]]:
    """Return the query for the last event of each stream, among these events, that was recorded before `at`.

    Tables are joined only by stream, because the log may be distributed by stream.
    """
    last = select(events.c.stream, func.max(events.c.version).label("version")).where(among)
    last_versions = last.group_by(events.c.stream).subquery()
    first = events.alias("first")
    is_head = and_(events.c.stream == last_versions.c.stream, events.c.version == last_versions.c.version)
    is_first = and_(first.c.stream == last_versions.c.stream, first.c.version == 1)
    shown = select(events.c.stream, first.c.data, events.c.version, events.c.type, events.c.hash)
    joined = shown.join_from(last_versions, events, is_head).join(first, is_first)
    return joined.where(events.c.recorded_at < at, first.c.recorded_at < at)


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
        self._lock = SharedLock()

    async def latest(self) -> Root:
        """Return today's root; in the first minute of the day, yesterday's."""
        now = self._now()
        day = dates.day_of(now - SETTLE_MILLISECONDS)
        async with self._lock:
            if self._latest is None or self._latest.day != day:
                async with self._database.reading() as connection:
                    self._latest = await root_of(connection, day)
            return self._latest
