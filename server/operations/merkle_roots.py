"""Roots: one hash a day over every stream whose cards are no secret any more, by which a backup proves itself complete.

The root of a day covers what had been revealed before the day began, and follows from the log alone, whenever and
wherever it is computed. A stream comes under it once an event has revealed the secret of its deal: a casual game's when
it is over, a day's when the day is closed, a race's when all have ended. Of streams still under the embargo it says
nothing, since a hash over hidden cards would let a guess at them be tried. `server.fairness.merkle_tree` has the tree.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Select, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from server.competitions.races import race_state
from server.core import dates
from server.database.connections import Database
from server.database.tables import events
from server.fairness.merkle_tree import MerkleTree

SETTLE = 60_000
"""Milliseconds after a day's beginning in which what was recorded before it comes into the log, whatever node wrote it
and however its clock goes; then the root is computed."""
_PAGE = 1000
_REVEALS = {"daily/": "daily_closed", race_state.STREAM: "match_finished"}


class Root(NamedTuple):
    """The root over so many streams, in hex: those revealed before the day began, at `at`."""

    day: str
    at: int
    streams: int
    root: str


class _Begun(msgspec.Struct):
    """What the first event of a game or of views says of the deal."""

    deal: str = ""


_begun = msgspec.json.Decoder(_Begun).decode


async def root_of(connection: AsyncConnection, day: str) -> Root:
    """The root of a day; until `SETTLE` after the day's beginning it may still change.

    The streams are read page by page, so that no statement takes long however large the log is.
    """
    at = dates.day_times(day, 0).opens_at
    revealed = await _revealed(connection, at)
    tree, after = MerkleTree(), ""
    while page := (await connection.execute(_heads(at, after))).all():
        for stream, first, version, kind, head in page:
            if kind == "deal_revealed" or _deal(stream, first) in revealed:
                tree.add(stream, version, head)
        after = page[-1][0]
    return Root(day, at, tree.count, tree.root().hex())


async def last_root(connection: AsyncConnection) -> Root | None:
    """The root of the day of the log's last event; None for an empty log."""
    last = await connection.scalar(select(func.max(events.c.recorded_at)))
    return None if last is None else await root_of(connection, dates.day_of(last))


async def _revealed(connection: AsyncConnection, at: int) -> set[str]:
    """The days and the races whose secret was revealed before that moment, by the names of their streams."""
    found = or_(*(and_(_begins(prefix), events.c.type == kind) for prefix, kind in _REVEALS.items()))
    return {*await connection.scalars(select(events.c.stream).where(found, events.c.recorded_at < at))}


def _heads(at: int, after: str) -> Select[tuple[str, str, int, str, bytes]]:
    """The next streams as they were at that moment: the first event's data; the last one's version, type and hash."""
    begun = select(events.c.stream, events.c.data).where(
        events.c.version == 1, events.c.recorded_at < at, events.c.stream > after
    )
    first = begun.order_by(events.c.stream).limit(_PAGE).subquery()
    told = events.alias("told")
    last = select(told.c.version).where(told.c.stream == first.c.stream, told.c.recorded_at < at)
    version = last.order_by(told.c.version.desc()).limit(1).scalar_subquery()
    is_head = and_(events.c.stream == first.c.stream, events.c.version == version)
    shown = select(first.c.stream, first.c.data, events.c.version, events.c.type, events.c.hash)
    return shown.join_from(first, events, is_head).order_by(first.c.stream)


def _begins(prefix: str) -> ColumnElement[bool]:
    return and_(events.c.stream >= prefix, events.c.stream < prefix[:-1] + chr(ord(prefix[-1]) + 1))


def _deal(stream: str, first: str) -> str:
    """The stream that reveals the deal to which this one belongs; a casual game's, which does so itself, has none."""
    if not stream.startswith(("game/", "watched/")):
        return stream
    deal = _begun(first).deal
    race = deal.removeprefix(race_state.deal_of(""))
    return race_state.STREAM + race if race != deal else "daily/" + deal.partition(".")[0]


class MerkleRoots:
    """The latest root of a server, computed when it is first asked for on its day. `now` is in milliseconds."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._latest: Root | None = None
        self._lock = asyncio.Lock()

    async def latest(self) -> Root:
        """The root of today; in its first minute still yesterday's."""
        now = self._now()
        day = dates.day_of(now - SETTLE)
        async with self._lock:
            if self._latest is None or self._latest.day != day:
                async with self._database.reading() as connection:
                    self._latest = await root_of(connection, day)
            return self._latest
