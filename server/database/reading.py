"""Single reading statements without a transaction, which halves their cost."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from sqlalchemy import Engine, Executable, Row
from sqlalchemy.engine import URL
from sqlalchemy.util import greenlet_spawn

from cadogan.server.database import sqlite

SQLITE_THREADS = 4
"""Maximum number of concurrent reading statements on an SQLite file, each with its own connection; others wait."""

Rows = Sequence[Row[Any]]
Parameters = Mapping[str, Any] | None


class Reader(Protocol):
    """Runs single reading statements without a transaction."""

    async def fetch(self, statement: Executable, parameters: Parameters) -> Rows:
        """Return the rows of a statement, which reads a snapshot of the database."""

    async def close(self) -> None:
        """Close the reader's own connections."""


class SqliteReader:
    """Reads an SQLite file on threads. A statement is one call on a thread; within a transaction it would be ten."""

    def __init__(self, url: URL) -> None:
        self._engine = sqlite.reading_engine(url)
        self._threads = ThreadPoolExecutor(SQLITE_THREADS, thread_name_prefix="read")

    async def fetch(self, statement: Executable, parameters: Parameters) -> Rows:
        """Return the rows of a statement; writers do not block it."""
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, _fetch, self._engine, statement, parameters
        )

    async def close(self) -> None:
        """Close the connections, after the statements that are running; those that wait are cancelled."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        self._engine.dispose()


class PostgresqlReader:
    """Reads PostgreSQL with the connections of an asyncio engine, given by its `sync_engine`.

    An `AsyncConnection` would use a greenlet each to open, execute and close; here one does all three.
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
