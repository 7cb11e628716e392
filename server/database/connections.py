"""Connections to the database: an SQLite file, or PostgreSQL; both have the same tables and migrations."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from weakref import WeakSet

import asyncpg
from sqlalchemy import QueuePool, event, text
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from server.database import sqlite

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
POOL_SIZE = 5
"""Connections to PostgreSQL that a node keeps open."""
MAX_OVERFLOW = 10
"""Further connections that a node may open while all of the pool are in use."""
ANSWER_TIMEOUT_SECONDS = 10.0
"""Seconds after which a database that does not answer counts as lost; what was asked of it fails."""
PING_INTERVAL_SECONDS = 10.0
"""Seconds between two pings of PostgreSQL, while a statement may take as long as it needs."""
CLOSE_TIMEOUT_SECONDS = 1.0
"""Seconds for closing the connections in an orderly way."""


class DatabaseUnsupported(ValueError):
    """The database's URL is neither that of an SQLite file nor that of a PostgreSQL database."""


def database_url(url: str) -> URL:
    """Return the URL with the driver that this server uses. Raises DatabaseUnsupported.

    >>> database_url("postgres://cadogan@localhost/club").drivername
    'postgresql+asyncpg'
    """
    parsed = make_url(url)
    name, _, _ = parsed.drivername.partition("+")
    if name not in _DRIVERS:
        raise DatabaseUnsupported(f"{parsed.drivername!r} is no database this server knows: sqlite or postgresql")
    if name == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise DatabaseUnsupported("SQLite needs a file: sqlite:///cadogan.db")
    return parsed.set(drivername=_DRIVERS[name])


def database_address(url: str) -> str:
    """Return where a database is, as a text for people, without user and password.

    >>> database_address("postgresql://cadogan:secret@db.example/club")
    'PostgreSQL at db.example:5432'
    """
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        return f"the SQLite file {parsed.database}"
    host = parsed.host or parsed.query.get("host") or os.environ.get("PGHOST") or "localhost"
    port = parsed.port or parsed.query.get("port") or os.environ.get("PGPORT") or 5432
    return f"PostgreSQL at {host if isinstance(host, str) else ', '.join(host)}:{port}"


class Database:
    """A pool of connections to one database, for reading and for writing.

    With `serving=True` no statement may take longer than `ANSWER_TIMEOUT_SECONDS`; otherwise a statement may take as
    long as it needs. The parameters of a failed statement, which may be secrets, are kept out of error messages.
    """

    url: URL
    engine: AsyncEngine
    is_sqlite: bool

    def __init__(self, url: str, *, serving: bool = False) -> None:
        self.url = database_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._write_lock = asyncio.Lock()
        self._drivers: WeakSet[asyncpg.Connection] = WeakSet()
        if self.is_sqlite:
            self.engine = create_async_engine(self.url, pool_timeout=ANSWER_TIMEOUT_SECONDS, hide_parameters=True)
            sqlite.set_up(self.engine.sync_engine)
        else:
            self.engine = create_async_engine(
                self.url,
                pool_size=POOL_SIZE,
                max_overflow=MAX_OVERFLOW,
                pool_timeout=ANSWER_TIMEOUT_SECONDS,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={
                    "server_settings": {"application_name": "cadogan"},
                    "timeout": ANSWER_TIMEOUT_SECONDS,
                    "command_timeout": ANSWER_TIMEOUT_SECONDS if serving else None,
                },
            )
            event.listen(self.engine.sync_engine, "handle_error", _recognize_disconnect)
            event.listen(self.engine.sync_engine, "connect", lambda _, record: self._add(record.driver_connection))

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Return a context with a connection for reading.

        On SQLite the connection sees the database as it was at the first statement, and waits for no writer.
        """
        return self.engine.connect()

    @asynccontextmanager
    async def holding_write_lock(self) -> AsyncIterator[None]:
        """Hold the lock by which the tasks of this process write to SQLite in the order in which they asked.

        Does nothing on PostgreSQL. Raises TimeoutError if the lock is not free within `sqlite.LOCK_TIMEOUT_SECONDS`.
        """
        if not self.is_sqlite:
            yield
            return
        async with asyncio.timeout(sqlite.LOCK_TIMEOUT_SECONDS):
            await self._write_lock.acquire()
        try:
            yield
        finally:
            self._write_lock.release()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a transaction that is committed at the end, or rolled back after an exception."""
        async with self.holding_write_lock(), self.engine.connect() as connection:
            await connection.execution_options(**{sqlite.WRITES: True})
            async with connection.begin():
                yield connection

    @property
    def connections_in_use(self) -> int:
        """How many connections of the pool are in use now."""
        pool = self.engine.pool
        return pool.checkedout() if isinstance(pool, QueuePool) else 0

    async def ping(self) -> None:
        """Check that the database answers. Raises what the driver raises."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Close every connection, and wait no longer than `CLOSE_TIMEOUT_SECONDS` for the database.

        A task that still waits for PostgreSQL then gets an error, because its connection is terminated. Cancelling the
        task would not be enough if the database does not answer: the driver asks the database to cancel the statement.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await self.engine.dispose()
        for driver in tuple(self._drivers):
            driver.terminate()

    def _add(self, driver: asyncpg.Connection | None) -> None:
        if driver is not None:
            self._drivers.add(driver)


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """Open a database for some work, such as a command's, and close it afterwards.

    A statement may take as long as it needs while the database answers pings. Raises TimeoutError if it stops
    answering.
    """
    database = Database(url)
    try:
        async with asyncio.timeout(None) as limit:
            pinging = asyncio.ensure_future(_keep_pinging(database, limit))
            try:
                yield database
            finally:
                pinging.cancel()
                await asyncio.gather(pinging, return_exceptions=True)
    finally:
        await database.close()


async def _keep_pinging(database: Database, limit: asyncio.Timeout) -> None:
    """Ping every `PING_INTERVAL_SECONDS`; let `limit` expire if no answer comes within `ANSWER_TIMEOUT_SECONDS`."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(PING_INTERVAL_SECONDS)
        limit.reschedule(loop.time() + ANSWER_TIMEOUT_SECONDS)
        with suppress(Exception):  # an error is an answer, too
            await database.ping()
        limit.reschedule(None)


def _recognize_disconnect(context: ExceptionContext) -> None:
    """Have the pool drop a connection that ended during a statement, because its driver's state is then unknown."""
    if isinstance(context.original_exception.__cause__, asyncpg.InternalClientError):
        context.is_disconnect = True
