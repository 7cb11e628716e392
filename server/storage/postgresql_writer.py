"""Writing the log to PostgreSQL: one connection, one statement over arrays."""

from collections.abc import Sequence
from operator import attrgetter

import asyncpg
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database.connections import PATIENCE, Database
from server.eventlog.event_store import Append
from server.eventlog.projections import EntryRow
from server.leaderboards import rank_updates
from server.storage.row_sql import RowStatements, event_values

_INSERT = """
INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash)
SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::bigint[],
                     $8::bytea[])
"""

_by_stream = attrgetter("stream")


class PostgresqlTransactions:
    """One transaction at a time, on one connection."""

    def __init__(self, database: Database) -> None:
        self._engine = database.engine
        self._rows = RowStatements(database.engine.dialect)
        self._counting = rank_updates.rank_statements("postgresql")
        self._pooled: AsyncConnection | None = None
        self._driver: asyncpg.Connection | None = None

    async def commit(self, appends: Sequence[Append]) -> bool:
        """Write all appends in one transaction, or none and return False because something collides.

        A statement alone is a transaction and one round trip, so that a collision is left to the constraints. Streams
        are written in the order of their names: two servers that collide in several wait for each other in one order.
        """
        ordered = sorted(appends, key=_by_stream)
        try:
            try:
                await self._write(await self._connected(), ordered)
            except asyncpg.InternalClientError:  # the database has said good-bye: the driver sends nothing any more
                await self._drop()
                await self._write(await self._connected(), ordered)
        except asyncpg.UniqueViolationError:
            return False
        except BaseException:
            await self._drop()
            raise
        return True

    async def close(self) -> None:
        """Give the connection back."""
        pooled, self._pooled, self._driver = self._pooled, None, None
        if pooled is not None:
            await pooled.close()

    async def _write(self, driver: asyncpg.Connection, appends: Sequence[Append]) -> None:
        columns = list(zip(*event_values(appends), strict=True))
        rows = [row for append in appends for row in append.rows]
        if not rows:
            await driver.execute(_INSERT, *columns, timeout=PATIENCE)
            return
        async with driver.transaction():
            await driver.execute(_INSERT, *columns, timeout=PATIENCE)
            for statement, own in self._rows.of(rows):
                await driver.executemany(statement, own, timeout=PATIENCE)
            if entries := [row for row in rows if isinstance(row, EntryRow)]:
                await self._count(driver, entries)

    async def _count(self, driver: asyncpg.Connection, entries: Sequence[EntryRow]) -> None:
        added = rank_updates.totals_to_add(entries)
        now = await driver.fetch(self._counting.add_totals, *zip(*added, strict=True), timeout=PATIENCE)
        changed, left = rank_updates.buckets_to_change(added, now)
        await driver.execute(self._counting.change_counts, *zip(*changed, strict=True), timeout=PATIENCE)
        if left:
            await driver.execute(self._counting.delete_empty, *zip(*left, strict=True), timeout=PATIENCE)

    async def _connected(self) -> asyncpg.Connection:
        if self._driver is not None and self._driver.is_closed():
            await self._drop()
        if self._driver is None:
            self._pooled = await self._engine.connect()
            self._driver = (await self._pooled.get_raw_connection()).driver_connection
        return self._driver

    async def _drop(self) -> None:
        pooled, driver = self._pooled, self._driver
        self._pooled = self._driver = None
        if driver is not None:
            driver.terminate()  # nobody knows where its conversation stands
        if pooled is not None:
            await pooled.invalidate()
            await pooled.close()
