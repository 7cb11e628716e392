"""Writing the log, and the rows that follow from it, to SQLite and to PostgreSQL."""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from operator import attrgetter
from typing import Any

import asyncpg
from msgspec import json
from sqlalchemy import Dialect, Insert, Table, insert, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import PoolProxiedConnection

from cadogan.server.core import rank_rows
from cadogan.server.core.database import sqlite
from cadogan.server.core.database.connections import ANSWER_TIMEOUT_SECONDS, Database
from cadogan.server.core.database.short_events import shorten
from cadogan.server.core.database.statements import upsert
from cadogan.server.core.database.tables import contests, entries, games, races
from cadogan.server.core.eventlog.event_store import Append
from cadogan.server.core.eventlog.events import ANNOUNCEMENTS, DAY_EVENTS, ENDING_EVENTS
from cadogan.server.core.eventlog.projections import ContestRow, EntryRow, GameRow, RaceRow, Row
from cadogan.server.core.eventlog.streams import entry_name, id_of
from cadogan.server.core.ranking import bucket_changes

EVENT_COLUMNS = ("stream", "version", "command_id", "type", "schema", "data", "recorded_at", "hash")
EventValues = tuple[str, int, str | None, str, int, str, int, bytes]
"""The values of one event, in the order of `EVENT_COLUMNS`. Its data is in the stored (shortened) form."""
INSERT_LOGGED = """
INSERT INTO log_queue (stream, version, hash, recorded_at) VALUES ({})
ON CONFLICT (stream, version) DO UPDATE SET hash = excluded.hash, recorded_at = excluded.recorded_at
"""
"""Adds a finished stream, or an event of a day, to the queue of the transparency log."""
TABLES: dict[type[Row], Table] = {GameRow: games, EntryRow: entries, RaceRow: races, ContestRow: contests}
"""The table of each kind of projection row."""


def event_values(appends: Iterable[Append]) -> list[EventValues]:
    """Return the values of every event. The command id goes to the first event of each append."""
    values: list[EventValues] = []
    for append in appends:
        stream = append.stream
        command_id = append.command_id
        for event in append.events:
            values.append(
                (
                    stream,
                    event.version,
                    command_id,
                    event.type,
                    event.schema,
                    shorten(event.data),
                    event.recorded_at,
                    event.hash,
                )
            )
            command_id = None
    return values


def logged_values(appends: Iterable[Append]) -> list[tuple[str, int, bytes, int]]:
    """Return the values of the rows in `log_queue`: for the end of a stream, and events in `DAY_EVENTS` or
    `ANNOUNCEMENTS`, the first ones of their streams.
    """
    rows = []
    for append in appends:
        first, event = append.events[0], append.events[-1]
        if first.type in ANNOUNCEMENTS:
            rows.append((entry_name(first.type, id_of(append.stream)), first.version, first.hash, first.recorded_at))
        if event.type in ENDING_EVENTS:
            rows.append((append.stream, event.version, event.hash, event.recorded_at))
        elif event.type in DAY_EVENTS:
            name = entry_name(event.type, id_of(append.stream))
            rows.append((name, event.version, event.hash, event.recorded_at))
    return rows


class RowStatements:
    """Prepares the writing of projection rows: SQL text and parameters in the format of the database's driver.

    The row of a game or a race is overwritten when it changes; an entry is written once.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._compiled = _compile_all(f"{dialect.name}+{dialect.driver}")

    def prepare(self, rows: Sequence[Row]) -> list[tuple[str, list[Any]]]:
        """Return one statement for each kind of row that occurs, with the parameters of these rows in their order."""
        statements = []
        for kind, (statement, values) in self._compiled.items():
            if of_kind := [values(row) for row in rows if type(row) is kind]:
                statements.append((statement, of_kind))
        return statements


@cache
def _compile_all(driver: str) -> dict[type[Row], tuple[str, Callable[[Row], Any]]]:
    """Return, for each kind of row, the statement and the function that gets its parameters from a row.

    `driver` names a database and its driver as the URLs of SQLAlchemy do, for example `sqlite+pysqlite`.
    """
    dialect = make_url(f"{driver}://").get_dialect()()
    return {
        kind: _compile(insert(table) if kind is EntryRow else upsert(table, dialect), dialect)
        for kind, table in TABLES.items()
    }


def _compile(statement: Insert, dialect: Dialect) -> tuple[str, Callable[[Row], Any]]:
    compiled = statement.compile(dialect=dialect)
    assert compiled.positiontup is not None
    return str(compiled), attrgetter(*compiled.positiontup)


_encode = json.Encoder().encode
_SQLITE_INSERT = """
INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
       json_extract(value, '$[6]'), substr(?2, 1 + 32 * key, 32)
FROM json_each(?1)
"""
"""Inserts a whole batch in one step. The driver releases the GIL at every step, and with a busy event loop, reacquiring
it for each row would take longer than the commit."""
_SQLITE_INSERT_LOGGED = INSERT_LOGGED.format("?, ?, ?, ?")


class SqliteBatchWriter:
    """Writes batches of appends to SQLite, one transaction at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._engine = sqlite.thread_engine(database.url)
        self._rows = RowStatements(self._engine.dialect)
        self._ranks = rank_rows.rank_statements("sqlite")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="log")
        self._pooled: PoolProxiedConnection | None = None

    async def commit(self, appends: Sequence[Append]) -> bool:
        """Write all appends in one transaction; write nothing and return False if one violates a constraint."""
        loop = asyncio.get_running_loop()
        async with self._database.holding_write_lock():
            deadline = loop.time() + sqlite.LOCK_TIMEOUT_SECONDS
            while True:
                try:
                    return await loop.run_in_executor(self._thread, self._commit, appends)
                except sqlite3.OperationalError as error:
                    if not sqlite.is_locked(error) or loop.time() > deadline:
                        raise

    async def close(self) -> None:
        """Close the connection and end the thread."""
        self._thread.shutdown()
        pooled, self._pooled = self._pooled, None
        if pooled is not None:
            pooled.close()
        self._engine.dispose()

    def _commit(self, appends: Sequence[Append]) -> bool:
        if self._pooled is None:
            self._pooled = self._engine.raw_connection()
        try:
            self._write(self._pooled, appends)
        except sqlite3.IntegrityError:
            self._pooled.rollback()
            return False
        except BaseException:
            self._pooled.invalidate()
            self._pooled = None
            raise
        return True

    def _write(self, connection: PoolProxiedConnection, appends: Sequence[Append]) -> None:
        values = event_values(appends)
        events = _encode([event[:7] for event in values]).decode(), b"".join([event[7] for event in values])
        rows = [row for append in appends for row in append.rows]
        logged = logged_values(appends)
        cursor = connection.cursor()
        if not rows and not logged:
            cursor.execute(_SQLITE_INSERT, events)  # a single statement is a transaction by itself
            return
        cursor.execute("BEGIN IMMEDIATE")
        cursor.execute(_SQLITE_INSERT, events)
        for statement, of_kind in self._rows.prepare(rows):
            cursor.executemany(statement, of_kind)
        if logged:
            cursor.executemany(_SQLITE_INSERT_LOGGED, logged)
        if entries := [row for row in rows if isinstance(row, EntryRow)]:
            self._update_ranks(cursor, entries)
        cursor.execute("COMMIT")

    def _update_ranks(self, cursor: DBAPICursor, entries: Sequence[EntryRow]) -> None:
        added = rank_rows.totals_to_add(entries)
        cursor.execute(self._ranks.add_totals, self._ranks.parameters(added))
        changes, maybe_empty = bucket_changes(added, cursor.fetchall())
        cursor.execute(self._ranks.change_counts, self._ranks.parameters(changes))
        cursor.execute(self._ranks.delete_empty, self._ranks.parameters(maybe_empty))


_INSERT = """
INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash)
SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::bigint[],
                     $8::bytea[])
"""
_INSERT_LOGGED = INSERT_LOGGED.format("$1, $2, $3, $4")
_by_stream = attrgetter("stream")


class PostgresqlBatchWriter:
    """Writes batches of appends to PostgreSQL, one transaction at a time."""

    _inserts_in_one_statement = True

    def __init__(self, database: Database) -> None:
        self._engine = database.engine
        self._is_lagging = database.is_lagging
        self._rows = RowStatements(database.engine.dialect)
        self._ranks = rank_rows.rank_statements("postgresql")
        self._pooled: AsyncConnection | None = None
        self._driver: asyncpg.Connection | None = None

    async def commit(self, appends: Sequence[Append]) -> bool:
        """Write all appends in one transaction; write nothing and return False if one violates a constraint.

        A batch without projection rows is one statement, and so one round trip; the constraints detect a conflict.
        Streams are written in the order of their names, so that two servers that write to the same streams cannot
        deadlock.
        """
        ordered = sorted(appends, key=_by_stream)
        try:
            try:
                await self._write(await self._connected(), ordered)
            except asyncpg.InternalClientError:  # the database has closed the connection, and nothing was sent
                await self._drop()
                await self._write(await self._connected(), ordered)
        except asyncpg.UniqueViolationError:
            return False
        except BaseException:
            await self._drop()
            raise
        return True

    async def close(self) -> None:
        """Return the connection to the pool."""
        pooled, self._pooled, self._driver = self._pooled, None, None
        if pooled is not None:
            await pooled.close()

    async def _write(self, driver: asyncpg.Connection, appends: Sequence[Append]) -> None:
        values = event_values(appends)
        rows = [row for append in appends for row in append.rows]
        logged = logged_values(appends)
        is_alone = not (rows or logged)
        if is_alone and self._inserts_in_one_statement:
            await self._insert(driver, values, is_alone=True)
            return
        async with driver.transaction():
            await self._insert(driver, values, is_alone=is_alone)
            for statement, of_kind in self._rows.prepare(rows):
                await driver.executemany(statement, of_kind, timeout=ANSWER_TIMEOUT_SECONDS)
            if logged:
                await driver.executemany(_INSERT_LOGGED, logged, timeout=ANSWER_TIMEOUT_SECONDS)
            if entries := [row for row in rows if isinstance(row, EntryRow)]:
                await self._update_ranks(driver, entries)

    async def _insert(self, driver: asyncpg.Connection, values: Sequence[EventValues], *, is_alone: bool) -> None:
        """Insert the events; with `is_alone` the transaction writes nothing else."""
        await driver.execute(_INSERT, *zip(*values, strict=True), timeout=ANSWER_TIMEOUT_SECONDS)

    async def _update_ranks(self, driver: asyncpg.Connection, entries: Sequence[EntryRow]) -> None:
        added = rank_rows.totals_to_add(entries)
        ranks, timeout = self._ranks, ANSWER_TIMEOUT_SECONDS
        now = await driver.fetch(ranks.add_totals, *ranks.parameters(added), timeout=timeout)
        changes, maybe_empty = bucket_changes(added, now)
        await driver.execute(ranks.change_counts, *ranks.parameters(changes), timeout=timeout)
        if maybe_empty:
            await driver.execute(ranks.delete_empty, *ranks.parameters(maybe_empty), timeout=timeout)

    async def _connected(self) -> asyncpg.Connection:
        if self._driver is not None and (self._driver.is_closed() or self._is_lagging(self._driver)):
            await self._drop()
        if self._driver is None:
            self._pooled = await self._engine.connect()
            self._driver = (await self._pooled.get_raw_connection()).driver_connection
        return self._driver

    async def _drop(self) -> None:
        pooled, driver = self._pooled, self._driver
        self._pooled = self._driver = None
        if driver is not None:
            driver.terminate()  # its state is unknown
        if pooled is not None:
            await pooled.invalidate()
            await pooled.close()
