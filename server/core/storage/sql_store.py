"""The event store in a database, SQLite or PostgreSQL, and reading many of its streams."""

from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import Any

from msgspec import json, structs
from sqlalchemy import (
    ARRAY,
    ColumnElement,
    FromClause,
    Integer,
    Row,
    Select,
    Text,
    and_,
    any_,
    bindparam,
    func,
    insert,
    select,
    text,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import events, games, log_entries, log_queue
from cadogan.server.core.event_loop import PAUSE_SECONDS, Find, Key, Value
from cadogan.server.core.eventlog.event_store import (
    Append,
    AttemptConflict,
    NewEvent,
    StoredEvent,
    StoreError,
    StreamIncomplete,
    VersionConflict,
)
from cadogan.server.core.eventlog.events import Event
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import GameRow
from cadogan.server.core.storage.citus.extension import is_distributed
from cadogan.server.core.storage.citus.workers import StreamWorkers, WorkerBatcher, WorkerCommits
from cadogan.server.core.storage.group_commit import GroupCommit
from cadogan.server.core.storage.writers import SqliteBatchWriter

_PAGE_SIZE = 1000
_LOCK = text("SELECT pg_advisory_xact_lock(7302)")
"""Streams that one query returns."""
_EVENT = select(*(events.c[name] for name in StoredEvent.__struct_fields__))
_LATER = _EVENT.where(events.c.stream == bindparam("stream"), events.c.version > bindparam("after")).order_by(
    events.c.version
)
_LAST = (
    select(events.c.stream, func.max(events.c.version).label("version"))
    .where(among(events.c.stream, "streams"))
    .group_by(events.c.stream)
)
_SELECT_CHANGED = (
    select(events.c.stream, func.max(events.c.recorded_at).label("recorded_at"))
    .where(among(events.c.stream, "streams"))
    .group_by(events.c.stream)
)
_FIRST_LATER = _LATER.limit(bindparam("limit", type_=Integer))


def _select_later(asked: FromClause, stream: ColumnElement[str], version: ColumnElement[int]) -> Select[Any]:
    """Select the events of the streams in `asked` that are later than the version given there."""
    later = and_(events.c.stream == stream, events.c.version > version)
    return _EVENT.join_from(asked, events, later).order_by(events.c.stream, events.c.version)


_PAIRS = func.json_each(bindparam("pairs", type_=Text)).table_valued("value", name="asked")
_LATER_ON_SQLITE = _select_later(
    _PAIRS, func.json_extract(_PAIRS.c.value, "$[0]"), func.json_extract(_PAIRS.c.value, "$[1]")
)
_ROWS = (
    func.unnest(bindparam("streams", type_=ARRAY(Text)), bindparam("versions", type_=ARRAY(Integer)))
    .table_valued("stream", "version", name="asked")
    .render_derived()
)
_LATER_ON_POSTGRESQL = _select_later(_ROWS, _ROWS.c.stream, _ROWS.c.version)
# With this condition Citus finds the shards of the streams; otherwise it would query every worker.
_LATER_ON_CITUS = _LATER_ON_POSTGRESQL.where(events.c.stream == any_(bindparam("streams", type_=ARRAY(Text))))
_ENDED = union_all(
    *(select(table.c.stream).where(among(table.c.stream, "streams")) for table in (log_queue, log_entries))
)


async def append_in(connection: AsyncConnection, append: Append, *, is_logged: bool) -> None:
    """Write an append without rows within a transaction that also makes the change it records, and locks its stream.

    With `is_logged`, its last event is added to the queue of the transparency log.
    """
    written = [{"stream": append.stream, **structs.asdict(event)} for event in append.events]
    await connection.execute(insert(events), written)
    if is_logged:
        last = {name: written[-1][name] for name in ("stream", "version", "hash", "recorded_at")}
        await connection.execute(insert(log_queue).values(last))


async def append_at(
    connection: AsyncConnection,
    stream: str,
    version: int,
    events_: Sequence[Event],
    at: int,
    *,
    is_logged: bool = False,
) -> bool:
    """Append to the only stream of its kind within a transaction, if it has this version; return whether it has.

    The events are recorded at this moment, or as late as the last event before them. `is_logged` is as in `append_in`.
    """
    if connection.dialect.name == "postgresql":  # write transactions of SQLite are exclusive anyway
        await connection.execute(_LOCK)
    last = select(events.c.version, events.c.hash, events.c.recorded_at).where(events.c.stream == stream)
    row = (await connection.execute(last.order_by(events.c.version.desc()).limit(1))).one_or_none()
    if (row.version if row else 0) != version:
        return False
    chained: list[NewEvent] = []
    for number, event in enumerate(events_, version + 1):
        before = chained[-1].hash if chained else row.hash if row else START_HASH
        chained.append(chain_event(before, stream, number, event, max(at, row.recorded_at if row else 0)))
    await append_in(connection, Append(stream, None, tuple(chained)), is_logged=is_logged)
    return True


def _stream_of(asked: tuple[str, int]) -> str:
    return asked[0]


async def has_one_snapshot(connection: AsyncConnection) -> bool:
    """Return whether a transaction reads one snapshot of the whole log; with several machines it does not."""
    return not await is_distributed(connection)


class SqlStore:
    """A `Store` in a database whose tables are up to date: group commit for appending, and statements for reading.

    The caller that opened the database closes it after the store.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        self._workers = StreamWorkers(database)
        self._commits = (
            GroupCommit(SqliteBatchWriter(database), self._find_conflict)
            if database.is_sqlite
            else WorkerCommits(database, self._workers, self._find_conflict)
        )
        self._later = self.batcher(
            _stream_of, self._read_later, pause_seconds=0
        )  # no pause: spectators wait for it at every move
        self._last = self.batcher(str, self._read_last, pause_seconds=0)

    def batcher(
        self, stream_of: Callable[[Key], str], find: Find[Key, Value], pause_seconds: float = PAUSE_SECONDS
    ) -> WorkerBatcher[Key, Value]:
        """Return a batcher with separate queries to each worker."""
        return WorkerBatcher(self._workers, stream_of, find, pause_seconds)

    async def append(self, append: Append) -> None:
        """Wait until the append is committed. Raises the same as `Store.append`."""
        await self._commits.append(append)

    async def close(self) -> None:
        """Commit queued appends within `CLOSE_TIMEOUT_SECONDS`; refuse the rest, and every later append.

        The outcome of an append that is refused here is unknown: it may have been written.
        """
        await self._commits.close()
        await self._workers.close()

    async def read(self, stream: str, after: int = 0, limit: int | None = None) -> list[StoredEvent]:
        """Return the events of a stream later than version `after`, in order, the first `limit` of them."""
        asked: dict[str, Any] = {"stream": stream, "after": after}
        chosen = _LATER
        if limit is not None:
            chosen, asked["limit"] = _FIRST_LATER, limit
        with self._workers.read_from_worker(await self._workers.worker_of(stream), stream):
            return [StoredEvent(*row) for row in await self.database.fetch(chosen, asked)]

    async def read_later(self, stream: str, after: int) -> list[StoredEvent]:
        """Return the events of a stream later than version `after`, in order; concurrent calls share one query."""
        return await self._later.get((stream, after)) or []

    async def _read_later(self, asked: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[StoredEvent]]:
        after = dict(sorted(asked, reverse=True))  # if a stream was requested twice, the earlier version
        parameters: dict[str, Any] = {"streams": [*after], "versions": [*after.values()]}
        chosen = _LATER_ON_CITUS if self._workers.distributed else _LATER_ON_POSTGRESQL
        if self.database.is_sqlite:
            chosen, parameters = _LATER_ON_SQLITE, {"pairs": json.encode([*after.items()]).decode()}
        found: dict[str, list[StoredEvent]] = {}
        for row in await self.database.fetch(chosen, parameters):
            found.setdefault(row.stream, []).append(StoredEvent(*row))
        return {
            (stream, version): [event for event in found.get(stream, ()) if event.version > version]
            for stream, version in asked
        }

    async def last_versions(self, streams: Collection[str]) -> AsyncIterator[tuple[str, int]]:
        """Iterate over these streams and the last version of each; if some cannot be read, raise at the end."""
        async for stream, version in self._last.each(streams):
            yield stream, version

    async def _read_last(self, streams: Collection[str]) -> dict[str, int]:
        return {row.stream: row.version for row in await self.database.fetch(_LAST, {"streams": [*streams]})}

    async def find_ended(self, streams: Collection[str]) -> set[str]:
        """Return those of these streams that have ended: their ends are in the tables of the transparency log."""
        return {row.stream for row in await self.database.fetch(_ENDED, {"streams": [*streams]})}

    def is_partly_unavailable(self, error: BaseException) -> bool:
        """Return whether an error only means that one of several workers is unavailable."""
        return self._workers.is_unavailable(error)

    async def changed_at(self, streams: Collection[str]) -> dict[str, int]:
        """Return when the last event of each of these streams was recorded."""
        if self._workers.distributed:  # reading only the last event is a join, for which Citus queries every worker
            rows = await self.database.fetch(_SELECT_CHANGED, {"streams": [*streams]})
        else:
            async with self.database.reading() as connection:
                rows = await read_last_events(connection, streams)
        return {row.stream: row.recorded_at for row in rows}

    async def stream_names(self, prefix: str = "") -> AsyncIterator[str]:
        """Iterate over the names of all streams that begin with `prefix`, sorted byte by byte."""
        named = select(events.c.stream).distinct().order_by(events.c.stream).limit(_PAGE_SIZE)
        if prefix:
            named = named.where(events.c.stream < end_of(prefix))
        page = named.where(events.c.stream >= prefix)
        while True:
            async with self.database.reading() as connection:
                streams = (await connection.scalars(page)).all()
            for stream in streams:
                yield stream
            if len(streams) < _PAGE_SIZE:
                return
            page = named.where(events.c.stream > streams[-1])

    async def _find_conflict(self, append: Append) -> StoreError:
        """Return the conflict error of an append; StreamIncomplete if the conflicting event is not visible yet."""
        first, last = append.events[0].version, append.events[-1].version
        taken = select(events.c.version).where(events.c.stream == append.stream, events.c.version.between(first, last))
        async with self.database.reading() as connection:
            if (await connection.execute(taken.limit(1))).first() is not None:
                return VersionConflict(append.stream, first)
            for row in append.rows:
                if isinstance(row, GameRow) and row.ranked:
                    others = select(games.c.id).where(
                        games.c.deal == row.deal, games.c.player == row.player, games.c.ranked, games.c.id != row.id
                    )
                    if (await connection.execute(others)).first() is not None:
                        return AttemptConflict(append.stream)
        return StreamIncomplete(append.stream, first)


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


_STREAMS_PER_QUERY = 1000


async def read_last_events(connection: AsyncConnection, streams: Iterable[str]) -> list[Row[Any]]:
    """Return stream, version, hash and recorded_at of the last event of each of these streams that has any."""
    found: list[Row[Any]] = []
    names = iter(streams)
    while page := list(islice(names, _STREAMS_PER_QUERY)):
        versions = select(events.c.stream, func.max(events.c.version).label("version"))
        last = versions.where(events.c.stream.in_(page)).group_by(events.c.stream).subquery()
        is_last = and_(events.c.stream == last.c.stream, events.c.version == last.c.version)
        chosen = select(events.c.stream, events.c.version, events.c.hash, events.c.recorded_at)
        found += await connection.execute(chosen.join_from(last, events, is_last))
    return found
