"""Statements that read, each alone: no transaction begins and ends around them, so that one costs half as much."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from sqlalchemy import Engine, Executable, Row
from sqlalchemy.engine import URL
from sqlalchemy.util import greenlet_spawn

from cadogan.server.database import sqlite

SQLITE_THREADS = 4
"""Statements that read an SQLite file at the same time. Each has a connection, and the others wait."""

Rows = Sequence[Row[Any]]
Parameters = Mapping[str, Any] | None


class Reader(Protocol):
    """Runs statements that read, each alone."""

    async def fetch(self, statement: Executable, parameters: Parameters) -> Rows:
        """Return the rows of a statement, which sees the database as it was when it began."""

    async def close(self) -> None:
        """Close the connections of its own."""


class SqliteReader:
    """Reads an SQLite file on threads. A statement is one visit to a thread; within a transaction it would be ten."""

    def __init__(self, url: URL) -> None:
        self._engine = sqlite.reading_engine(url)
        self._threads = ThreadPoolExecutor(SQLITE_THREADS, thread_name_prefix="read")

    async def fetch(self, statement: Executable, parameters: Parameters) -> Rows:
        """Return the rows of a statement; no writer is waited for."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, _fetch, self._engine, statement, parameters
        )

    async def close(self) -> None:
        """Close the connections, after the statements that are running; those that wait are cancelled."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        self._engine.dispose()


class PostgresqlReader:
    """Reads PostgreSQL with the connections of an engine for asyncio, of which this is the `sync_engine`.

    An `AsyncConnection` would be opened, used and closed in a greenlet each; here one does all three.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def fetch(self, statement: Executable, parameters: Parameters) -> Rows:
        """Return the rows of a statement."""
        return await greenlet_spawn(_fetch, self._engine, statement, parameters)

    async def close(self) -> None:
        """Do nothing: the connections belong to the engine."""


def _fetch(engine: Engine, statement: Executable, parameters: Parameters) -> Rows:
    with engine.connect() as connection:
        return connection.execute(statement, parameters).all()
