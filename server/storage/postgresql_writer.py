"""Writing the log to PostgreSQL, with one connection and one statement over arrays for a whole batch."""

from collections.abc import Sequence
from operator import attrgetter

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.connections import ANSWER_TIMEOUT_SECONDS, Database
from cadogan.server.eventlog.event_store import Append
from cadogan.server.eventlog.projections import EntryRow
from cadogan.server.leaderboards import rank_updates
from cadogan.server.leaderboards.rank_index import bucket_changes
from cadogan.server.storage.row_sql import INSERT_ENDED, EventValues, RowStatements, ended_values, event_values

_INSERT = """
INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash)
SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::bigint[],
                     $8::bytea[])
"""
_INSERT_ENDED = INSERT_ENDED.format("$1, $2, $3, $4")

_by_stream = attrgetter("stream")


class PostgresqlBatchWriter:
    """Writes batches of appends to PostgreSQL, one transaction at a time."""

    _inserts_in_one_statement = True

    def __init__(self, database: Database) -> None:
        self._engine = database.engine
        self._is_lagging = database.is_lagging
        self._rows = RowStatements(database.engine.dialect)
        self._ranks = rank_updates.rank_statements("postgresql")
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
        ended = ended_values(appends)
        is_alone = not (rows or ended)
        if is_alone and self._inserts_in_one_statement:
            await self._insert(driver, values, is_alone=True)
            return
        async with driver.transaction():
            await self._insert(driver, values, is_alone=is_alone)
            for statement, of_kind in self._rows.prepare(rows):
                await driver.executemany(statement, of_kind, timeout=ANSWER_TIMEOUT_SECONDS)
            if ended:
                await driver.executemany(_INSERT_ENDED, ended, timeout=ANSWER_TIMEOUT_SECONDS)
            if entries := [row for row in rows if isinstance(row, EntryRow)]:
                await self._update_ranks(driver, entries)

    async def _insert(self, driver: asyncpg.Connection, values: Sequence[EventValues], *, is_alone: bool) -> None:
        """Insert the events; with `is_alone` the transaction writes nothing else."""
        await driver.execute(_INSERT, *zip(*values, strict=True), timeout=ANSWER_TIMEOUT_SECONDS)

    async def _update_ranks(self, driver: asyncpg.Connection, entries: Sequence[EntryRow]) -> None:
        added = rank_updates.totals_to_add(entries)
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
