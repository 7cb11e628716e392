"""Writing the log to SQLite, with one connection on a thread of its own."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import json
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.pool import PoolProxiedConnection

from cadogan.server.database import sqlite
from cadogan.server.database.connections import Database
from cadogan.server.eventlog.event_store import Append
from cadogan.server.eventlog.projections import EntryRow
from cadogan.server.leaderboards import rank_updates
from cadogan.server.leaderboards.rank_index import bucket_changes
from cadogan.server.storage.row_sql import INSERT_ENDED, RowStatements, ended_values, event_values

_encode = json.Encoder().encode

_INSERT = """
INSERT INTO events (stream, version, command_id, type, schema, data, recorded_at, hash)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
       json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
       json_extract(value, '$[6]'), substr(?2, 1 + 32 * key, 32)
FROM json_each(?1)
"""
"""Inserts a whole batch in one step. The driver releases the GIL at every step, and with a busy event loop, reacquiring
it for each row would take longer than the commit."""
_INSERT_ENDED = INSERT_ENDED.format("?, ?, ?, ?")


class SqliteBatchWriter:
    """Writes batches of appends to SQLite, one transaction at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._engine = sqlite.thread_engine(database.url)
        self._rows = RowStatements(self._engine.dialect)
        self._ranks = rank_updates.rank_statements("sqlite")
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
        ended = ended_values(appends)
        cursor = connection.cursor()
        if not rows and not ended:
            cursor.execute(_INSERT, events)  # a single statement is a transaction by itself
            return
        cursor.execute("BEGIN IMMEDIATE")
        cursor.execute(_INSERT, events)
        for statement, of_kind in self._rows.prepare(rows):
            cursor.executemany(statement, of_kind)
        if ended:
            cursor.executemany(_INSERT_ENDED, ended)
        if entries := [row for row in rows if isinstance(row, EntryRow)]:
            self._update_ranks(cursor, entries)
        cursor.execute("COMMIT")

    def _update_ranks(self, cursor: DBAPICursor, entries: Sequence[EntryRow]) -> None:
        added = rank_updates.totals_to_add(entries)
        cursor.execute(self._ranks.add_totals, self._ranks.parameters(added))
        changes, maybe_empty = bucket_changes(added, cursor.fetchall())
        cursor.execute(self._ranks.change_counts, self._ranks.parameters(changes))
        cursor.execute(self._ranks.delete_empty, self._ranks.parameters(maybe_empty))
