"""SQLite: the setup of connections, the start of transactions, and the detection of a locked file."""

import asyncio
import os
import sqlite3
import stat
import time
from contextlib import suppress
from typing import Any

import aiosqlite
from sqlalchemy import AdaptedConnection, Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

LOCK_TIMEOUT_SECONDS = 10.0
"""Seconds after which a write is refused because another process, or another task of this one, holds the lock."""
WRITES = "cadogan_writes"
"""The execution option of a connection whose transactions write."""
WAL_LIMIT_BYTES = 8 * 1024 * 1024
"""SQLite truncates its write-ahead log to this size once no reader prevents a checkpoint."""
_PRAGMAS = (
    "busy_timeout=1000",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
    f"journal_size_limit={WAL_LIMIT_BYTES}",
)
"""SQLite waits only one second for another process, because this wait cannot be cancelled; then we retry. It overwrites
deleted data, so that nothing of an erased player is left in the file."""
_WAL_ATTEMPTS = 20
_INTERRUPT_INTERVAL_SECONDS = 0.01
"""SQLite interrupts only the running statement, not one that begins a moment later."""


def thread_engine(url: URL) -> Engine:
    """Return a synchronous engine over the same SQLite file, for the thread that writes the log."""
    engine = reading_engine(url)
    event.listen(engine, "begin", _begin)
    return engine


def reading_engine(url: URL) -> Engine:
    """Return a synchronous engine over the same SQLite file for single reading statements.

    It begins no transactions.
    """
    engine = create_engine(url.set(drivername="sqlite+pysqlite"), hide_parameters=True)
    _set_up_connections(engine)
    return engine


def set_up(engine: Engine) -> None:
    """Set the pragmas of every connection that this engine makes, and begin its transactions explicitly."""
    _set_up_connections(engine)
    event.listen(engine, "begin", _begin)


def _set_up_connections(engine: Engine) -> None:
    """Set the pragmas of every connection that this engine makes.

    A new file is created so that only its owner can read it, because it will hold secrets.
    """
    event.listen(engine, "do_connect", _create_private_file)
    event.listen(engine, "connect", _set_pragmas)


def is_locked(error: BaseException | None) -> bool:
    """Whether the error means that another process holds the lock."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


async def end(driver: aiosqlite.Connection) -> None:
    """Interrupt the statements of an aiosqlite connection until it is closed. Does nothing if it is closed."""
    closing = asyncio.ensure_future(driver.close())
    try:
        while not closing.done():
            with suppress(ValueError, sqlite3.ProgrammingError):  # it is closed
                await driver.interrupt()
            await asyncio.wait([closing], timeout=_INTERRUPT_INTERVAL_SECONDS)
    finally:
        closing.cancel()
    with suppress(ValueError, sqlite3.ProgrammingError):
        closing.result()


def _create_private_file(dialect: object, record: object, arguments: list[str], options: object) -> None:
    """Create the file before SQLite does, which would use the default permissions of the system.

    An empty file, such as one left by an older version after a failed start, becomes private too. SQLite gives its
    other files (`-wal`, `-shm`) the permissions of this one. A device such as `/dev/null` is left as it is. Errors of
    the path are left to SQLite.
    """
    with suppress(OSError):
        path = arguments[0].removeprefix("file:").partition("?")[0]
        if os.path.exists(path) and os.stat(path).st_size > 0:
            return  # closing a second descriptor would release the locks of this process's other connections
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o600)
        try:
            found = os.fstat(descriptor)
            if stat.S_ISREG(found.st_mode) and found.st_size == 0:
                os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)


def _set_pragmas(connection: Any, _: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions by itself
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    _use_write_ahead_log(cursor)
    cursor.close()


def _use_write_ahead_log(cursor: Any) -> None:
    """Turn on the write-ahead log.

    SQLite fails at once while another connection turns it on in a new file: then wait and retry.
    """
    for attempts_left in reversed(range(_WAL_ATTEMPTS)):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if not attempts_left:
                raise
            with suppress(sqlite3.OperationalError):
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("ROLLBACK")


def _begin(connection: Connection) -> None:
    """Begin a transaction with one call on the driver's thread. A cursor would need three, each of which may wait for a
    busy event loop while the lock is held. Raises DBAPIError.
    """
    driver: Any = connection.connection.dbapi_connection
    is_writing = connection.get_execution_options().get(WRITES, False)
    statement = "BEGIN IMMEDIATE" if is_writing else "BEGIN"
    deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while True:
        try:
            if isinstance(driver, AdaptedConnection):
                driver.run_async(lambda raw: raw.execute(statement))
            else:
                driver.execute(statement)
            return
        except sqlite3.Error as error:
            if not is_locked(error) or time.monotonic() > deadline:
                raise DBAPIError.instance(statement, None, error, sqlite3.Error) from error
