"""Connections to the database: an SQLite file, or PostgreSQL; both have the same tables and migrations."""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, Protocol
from weakref import WeakSet

import aiosqlite
import asyncpg
from sqlalchemy import Engine, Executable, QueuePool, Row, event, text
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.util import greenlet_spawn

from cadogan.server.core.database import sqlite
from cadogan.server.core.database.primary import CHECK_INTERVAL_SECONDS, Host, Primary
from cadogan.server.core.shares import InTurn
from cadogan.server.core.version import version

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


_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
APPLICATION = "cadogan"
"""The prefix of `application_name` in PostgreSQL; the version follows."""
POOL_SIZE = 5
"""Connections to PostgreSQL that a node keeps open."""
MAX_OVERFLOW = 10
"""Additional connections that a node may open while all connections of the pool are in use."""
USES_OF_AN_ADDRESS = {"sqlite": SQLITE_THREADS // 2, "postgresql": POOL_SIZE}
"""Connections that the requests and messages of one address hold at the same time on one node."""
ANSWER_TIMEOUT_SECONDS = 10.0
"""Seconds after which a database that does not answer counts as lost; the pending statements fail."""
PING_INTERVAL_SECONDS = 10.0
"""Seconds between two pings of PostgreSQL, while a statement may take as long as it needs."""
_TEST_WRITES = ("DELETE FROM house_settings WHERE false", "SELECT pg_logical_emit_message(true, 'cadogan', '')")
"""The first fails on a read-only database; the second must reach PostgreSQL's disk."""
CLOSE_TIMEOUT_SECONDS = 1.0
"""Seconds for closing the connections cleanly."""
_SEVERAL_HOSTS = re.compile(
    r"(?P<before>\w+(?:\+\w+)?://(?:[^@/]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)(?P<path>/[^?]*)?(?:\?(?P<query>.*))?"
)


class DatabaseUnsupported(ValueError):
    """The database, or a pooler in front of it, cannot be used as configured. The message says what to do."""


def database_url(url: str) -> URL:
    """Return the URL with the driver that this server uses. Raises DatabaseUnsupported.

    A URL of PostgreSQL may name several hosts, as for `psql`: a primary and its standbys.

    >>> database_url("postgres://cadogan@localhost/club").drivername
    'postgresql+asyncpg'
    >>> database_url("postgresql://cadogan@one:5432,two:5433/club").query["host"]
    ('one:5432', 'two:5433')
    """
    if several := _SEVERAL_HOSTS.fullmatch(url):
        hosts = "&".join(f"host={host}" for host in several["hosts"].split(","))
        url = f"{several['before']}{several['path'] or ''}?{hosts}&{several['query'] or ''}"
    parsed = make_url(url)
    name, _, _ = parsed.drivername.partition("+")
    if name not in _DRIVERS:
        raise DatabaseUnsupported(f"{parsed.drivername!r} is no database this server knows: sqlite or postgresql")
    if name == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise DatabaseUnsupported("SQLite needs a file: sqlite:///cadogan.db")
    return parsed.set(drivername=_DRIVERS[name])


def database_address(url: str) -> str:
    """Return the address of a database for display, without user and password.

    >>> database_address("postgresql://cadogan:secret@db.example/club")
    'PostgreSQL at db.example:5432'
    >>> database_address("postgresql://cadogan@one,two:5433/club")
    'PostgreSQL at one and two:5433'
    """
    parsed = database_url(url)
    if parsed.get_backend_name() == "sqlite":
        return f"the SQLite file {parsed.database}"
    if has_several_hosts(parsed):
        return "PostgreSQL at " + " and ".join(parsed.query["host"])
    host = parsed.host or parsed.query.get("host") or os.environ.get("PGHOST") or "localhost"
    port = parsed.port or parsed.query.get("port") or os.environ.get("PGPORT") or 5432
    return f"PostgreSQL at {host if isinstance(host, str) else ', '.join(host)}:{port}"


def has_several_hosts(url: URL) -> bool:
    """Return whether a database's URL names several hosts, of which one is the primary."""
    return isinstance(url.query.get("host"), tuple)


class Database:
    """A pool of connections to one database, for reading and for writing.

    If the URL names several hosts of PostgreSQL, all connections go to the `primary`, also after a failover.

    With `serving=True` no statement may take longer than `ANSWER_TIMEOUT_SECONDS`; otherwise a statement may take as
    long as it needs. The parameters of a failed statement, which may be secrets, are kept out of error messages.
    """

    url: URL
    engine: AsyncEngine
    is_sqlite: bool
    primary: Primary | None = None

    def __init__(self, url: str, *, serving: bool = False) -> None:
        self.url = database_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._write_lock = asyncio.Lock()
        self._drivers: WeakSet[asyncpg.Connection | aiosqlite.Connection] = WeakSet()
        if self.is_sqlite:
            self.engine = create_async_engine(self.url, pool_timeout=ANSWER_TIMEOUT_SECONDS, hide_parameters=True)
            sqlite.set_up(self.engine.sync_engine)
            self._transactions = self.engine
            self._reader: Reader = SqliteReader(self.url)
        else:
            self.primary = Primary() if has_several_hosts(self.url) else None
            self.engine = create_async_engine(
                self.url,
                pool_size=POOL_SIZE,
                max_overflow=MAX_OVERFLOW,
                pool_timeout=ANSWER_TIMEOUT_SECONDS,
                pool_pre_ping=True,
                isolation_level="AUTOCOMMIT",  # single statements and pings need no transaction
                hide_parameters=True,
                connect_args={
                    "server_settings": {"application_name": f"{APPLICATION} {version()}"},
                    "timeout": ANSWER_TIMEOUT_SECONDS,
                    "command_timeout": ANSWER_TIMEOUT_SECONDS if serving else None,
                    **({} if self.primary is None else {"async_creator_fn": self.primary.connect}),
                },
            )
            self._transactions = self.engine.execution_options(isolation_level="READ COMMITTED")
            self._reader = PostgresqlReader(self.engine.sync_engine)
            event.listen(self.engine.sync_engine, "handle_error", _recognize_disconnect)
            if self.primary is not None:
                event.listen(self.engine.sync_engine, "checkout", self._drop_lagging)
        event.listen(self.engine.sync_engine, "connect", lambda _, record: self._add(record.driver_connection))

    async def fetch(self, statement: Executable, parameters: Parameters = None) -> Rows:
        """Return the rows of one reading statement; without a transaction it takes half the time.

        On SQLite the statement reads a snapshot of the database, and is not blocked by writers.
        """
        async with InTurn():
            return await self._reader.fetch(statement, parameters)

    async def fetch_one(self, statement: Executable, parameters: Parameters = None) -> Row[Any] | None:
        """Return the first row of one reading statement, or None."""
        return next(iter(await self.fetch(statement, parameters)), None)

    async def fetch_value(self, statement: Executable) -> Any:
        """Return the first value of the first row of one reading statement; None if there is no row or no value."""
        row = await self.fetch_one(statement)
        return None if row is None else row[0]

    async def read_time(self) -> int:
        """Return the time of PostgreSQL, in milliseconds since 1970."""
        return int(await self.fetch_value(text("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for several reading statements.

        On SQLite the connection reads a snapshot as of the first statement, and is not blocked by writers.
        """
        async with InTurn(), self._transactions.connect() as connection:
            yield connection

    @asynccontextmanager
    async def holding_write_lock(self) -> AsyncIterator[None]:
        """Hold the lock that serializes writes of this process to SQLite, in the order of the requests.

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
        """Yield a connection in a transaction that is committed at the end, or rolled back after an exception."""
        async with (
            InTurn(charged=False),  # a write waits for the writes of others
            self.holding_write_lock(),
            self._transactions.connect() as connection,
        ):
            await connection.execution_options(**{sqlite.WRITES: True})
            async with connection.begin():
                yield connection

    async def overwrite_deleted(self) -> None:
        """Checkpoint the SQLite file and truncate its write-ahead log, which still contains deleted data.

        If readers block it, a later call does the rest. PostgreSQL does this by itself (`VACUUM`).
        """
        if self.is_sqlite:
            async with self.holding_write_lock(), self.engine.connect() as connection:
                raw = await connection.get_raw_connection()
                assert raw.driver_connection is not None
                await raw.driver_connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")

    @property
    def connections_in_use(self) -> int:
        """The number of connections of the pool that are in use."""
        pool = self.engine.pool
        return pool.checkedout() if isinstance(pool, QueuePool) else 0

    def is_lagging(self, connection: object) -> bool:
        """Return whether a driver's connection goes to a host that is no longer the primary."""
        return self.primary is not None and self.primary.is_lagging(connection)

    async def find_hosts(self) -> list[Host]:
        """Return the state of every host; empty if the URL names only one."""
        if self.primary is None:
            return []
        _, arguments = self.engine.dialect.create_connect_args(self.url)
        return await self.primary.check_hosts(**arguments, timeout=ANSWER_TIMEOUT_SECONDS)

    async def watch_hosts(self, stopping: asyncio.Event) -> None:
        """Check regularly which host is the primary, until `stopping` is set."""
        while self.primary is not None and not stopping.is_set():
            await self.find_hosts()
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), CHECK_INTERVAL_SECONDS)

    async def ping(self) -> None:
        """Check that the database answers. Raises what the driver raises."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    async def test_write(self) -> None:
        """Check that the database accepts a write, with one that changes no data. Raises what the driver raises."""
        number = int(time.time()) & 0x7FFFFFFF
        statements = (f"PRAGMA user_version={number}",) if self.is_sqlite else _TEST_WRITES
        async with self.writing() as connection:
            for statement in statements:
                await connection.execute(text(statement))

    async def close(self) -> None:
        """Close every connection, waiting at most `CLOSE_TIMEOUT_SECONDS` for the database.

        A task that still waits for the database gets an error, because its connection is terminated. Cancelling the
        task would not be enough: the driver would send a cancel request to a PostgreSQL that does not answer, and the
        thread of an SQLite connection would call an event loop that may be closed by then.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_SECONDS):
                await self.engine.dispose()
                await self._reader.close()
                # Concurrently: a driver whose statement was cancelled also closes itself, and may then never answer.
                files = [driver for driver in self._drivers if isinstance(driver, aiosqlite.Connection)]
                await asyncio.gather(*map(sqlite.end, files))
        for driver in tuple(self._drivers):
            if isinstance(driver, asyncpg.Connection):
                driver.terminate()

    def _drop_lagging(self, connection: Any, *_: object) -> None:
        """Make the pool replace a connection to the former primary."""
        if self.is_lagging(connection.driver_connection):
            raise DisconnectionError("another host is the primary now")

    def _add(self, driver: asyncpg.Connection | aiosqlite.Connection | None) -> None:
        if driver is not None:
            self._drivers.add(driver)


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """Open a database for a task such as a command, and close it afterwards.

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
        with suppress(Exception):  # an error is an answer as well
            await database.ping()
        limit.reschedule(None)


def _recognize_disconnect(context: ExceptionContext) -> None:
    """Make the pool drop a connection that was cancelled during a statement: its driver's state is unknown."""
    if isinstance(context.original_exception.__cause__, asyncpg.InternalClientError):
        context.is_disconnect = True
