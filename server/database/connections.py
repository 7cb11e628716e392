"""The database: SQLite in a file of its own, or PostgreSQL; one set of tables and migrations for both."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

import asyncpg
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, func, select, text
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

import migrations

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_PRAGMAS = ("busy_timeout=1000", "synchronous=FULL", "foreign_keys=ON")
"""SQLite waits but a second for another process, since nothing can call it off; whoever writes then tries again."""
_TRIES = 20
POOL = 5
"""Connections that a node keeps to PostgreSQL."""
OVERFLOW = 10
"""Connections that it may open beside them, when all are in use."""
PATIENCE = 10.0
"""Seconds after which a database that is silent, or locked, counts as lost, and what was asked of it is refused."""
PULSE = 10.0
"""Seconds between two looks whether PostgreSQL lives, while a statement may take as long as it likes."""
FAREWELL = 1.0
"""Seconds that the database gets to take note that its connections are closed."""
_WRITES = "cadogan_writes"
_MIGRATING = int.from_bytes(b"cadogan", "big")


class DatabaseUnsupported(ValueError):
    """The database's URL names neither a file for SQLite nor a PostgreSQL database."""


def database_url(url: str) -> URL:
    """Return the URL with the driver that is used here. Raises `DatabaseUnsupported`.

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


class Database:
    """An open database: connections for reading and writing, and the one turn to write that SQLite has.

    What a failed statement held, a secret perhaps, is in no error's words, and so in no log.
    Where it is `serving` players no statement takes longer than `PATIENCE`; elsewhere one may take its time.
    """

    url: URL
    engine: AsyncEngine
    turn: asyncio.Lock | None
    """Held by whoever writes to SQLite, so that writers in this process queue fairly. None on PostgreSQL."""

    def __init__(self, url: str, *, serving: bool = False) -> None:
        self.url = database_url(url)
        self.turn = None
        self._drivers: WeakSet[asyncpg.Connection] = WeakSet()
        if self.url.get_backend_name() == "sqlite":
            self.turn = asyncio.Lock()
            self.engine = create_async_engine(self.url, pool_timeout=PATIENCE, hide_parameters=True)
            _prepare_sqlite(self.engine.sync_engine)
        else:
            self.engine = create_async_engine(
                self.url,
                pool_size=POOL,
                max_overflow=OVERFLOW,
                pool_timeout=PATIENCE,
                pool_pre_ping=True,
                hide_parameters=True,
                connect_args={
                    "server_settings": {"application_name": "cadogan"},
                    "timeout": PATIENCE,
                    "command_timeout": PATIENCE if serving else None,
                },
            )
            event.listen(self.engine.sync_engine, "handle_error", _notice_loss)
            event.listen(self.engine.sync_engine, "connect", lambda _, record: self._note(record.driver_connection))

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Return a context with a connection to read from; on SQLite it sees one moment and waits for no writer."""
        return self.engine.connect()

    @asynccontextmanager
    async def taking_turn(self) -> AsyncIterator[None]:
        """Hold the turn, if there are turns. Raises TimeoutError where it does not come within `PATIENCE`."""
        if self.turn is None:
            yield
            return
        async with asyncio.timeout(PATIENCE):
            await self.turn.acquire()
        try:
            yield
        finally:
            self.turn.release()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a transaction that is committed at the end, or rolled back by an exception."""
        async with self.taking_turn(), self.engine.connect() as connection:
            await connection.execution_options(**{_WRITES: True})
            async with connection.begin():
                yield connection

    async def ping(self) -> None:
        """Ask the database for a sign of life. Raises what the driver raises."""
        async with self.reading() as connection:
            await connection.execute(text("SELECT 1"))

    async def migrate(self, revision: str = "head") -> None:
        """Bring the tables up to a revision, the newest by default. Servers that start at once take turns."""
        async with self.migrating() as connection:
            await connection.run_sync(upgrade, revision)

    @asynccontextmanager
    async def migrating(self) -> AsyncIterator[AsyncConnection]:
        """Give a connection in a transaction beside which no other of this kind runs.

        A new SQLite file is its owner's alone: it will hold the days' secrets.
        """
        if self.turn is not None:
            await asyncio.to_thread(Path(self.url.database or "").touch, 0o600)
        async with self.writing() as connection:
            if self.turn is None:
                await connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
            yield connection

    async def attend(self, limit: asyncio.Timeout) -> None:
        """Ask for a sign of life every `PULSE` seconds; the limit is reached where none comes within `PATIENCE`."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(PULSE)
            limit.reschedule(loop.time() + PATIENCE)
            with suppress(Exception):  # a refusal is a sign of life, too
                await self.ping()
            limit.reschedule(None)

    async def close(self) -> None:
        """Close every connection; a database that does not hear it is waited for no longer than `FAREWELL`.

        Whoever still waits for PostgreSQL then is told that the connection is gone: a wait for a silent one can hardly
        be called off otherwise, for the driver asks it to.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self.engine.dispose()
        for driver in tuple(self._drivers):
            driver.terminate()

    def _note(self, driver: asyncpg.Connection | None) -> None:
        if driver is not None:
            self._drivers.add(driver)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """A database for a piece of work, closed after it. The work may take its time, as long as the database lives.

    Raises TimeoutError where PostgreSQL has fallen silent.
    """
    database = Database(url)
    try:
        async with asyncio.timeout(None) as limit:
            attending = asyncio.ensure_future(database.attend(limit))
            try:
                yield database
            finally:
                attending.cancel()
                await asyncio.gather(attending, return_exceptions=True)
    finally:
        await database.close()


def migration_config(connection: Connection | None = None) -> Config:
    """Return alembic's configuration for the migrations that are installed beside this package."""
    config = Config()
    config.set_main_option("script_location", migrations.__path__[0].replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the tables up to a revision, in the transaction of this connection."""
    command.upgrade(migration_config(connection), revision)


def sqlite_engine(url: URL) -> Engine:
    """Return an engine without asyncio over the same SQLite file, for the thread that writes the log."""
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), hide_parameters=True)
    _prepare_sqlite(engine)
    return engine


def is_locked(error: BaseException | None) -> bool:
    """Whether SQLite has refused something because another process holds the file."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _notice_loss(context: ExceptionContext) -> None:
    """A connection that ended in the middle of a statement may leave its driver confused: the pool must drop it."""
    if isinstance(context.original_exception.__cause__, asyncpg.InternalClientError):
        context.is_disconnect = True


def _prepare_sqlite(engine: Engine) -> None:
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)


def _set_pragmas(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where we say so, not where the driver guesses
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Turn on the write-ahead log. SQLite does not queue those who do so at once to a new file: wait for the other."""
    for tries_left in reversed(range(_TRIES)):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if not tries_left:
                raise
            with suppress(sqlite3.OperationalError):
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("ROLLBACK")


def _begin(connection: Connection) -> None:
    if not connection.get_execution_options().get(_WRITES, False):
        connection.exec_driver_sql("BEGIN")
        return
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        except OperationalError as error:
            if not is_locked(error.orig) or time.monotonic() > until:
                raise
