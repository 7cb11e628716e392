"""Fresh databases for tests: a file for SQLite, a database on a running PostgreSQL server."""

import asyncio
import os
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

import asyncpg
import pytest

from cadogan.server.core.database import migrations
from cadogan.server.core.database.connections import Database
from tests.harness.guardian import FOLDERS, RUN
from tests.harness.patience import soon

SERVER = os.environ.get("CADOGAN_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432")
"""The PostgreSQL server for test databases, without a database name."""

REQUIRED = os.environ.get("CADOGAN_REQUIRE_SERVICES") == "1"
_MEMORY = Path("/dev/shm")
_MEMORY_NEEDED = 1 << 30
_NAME = re.compile("cadogan_test_(?P<run>[0-9a-f]{12})_[0-9a-f]{12}")


def new_name() -> str:
    """Return a new database name of this run. Use it only in the context `database_lock`."""
    return f"cadogan_test_{run_name()}_{secrets.token_hex(6)}"


@asynccontextmanager
async def database_lock() -> AsyncIterator[None]:
    """Protect this run's databases from other runs in this context, and drop those of runs that have ended.

    A run lives as long as one of its processes holds a lock on the run's name; PostgreSQL frees the lock of a process
    that was killed. Raises OSError, TimeoutError or PostgresError when PostgreSQL does not answer.
    """
    async with _connected("postgres") as connection:
        await connection.execute("SELECT pg_advisory_lock_shared($1)", int(run_name(), 16))
        await drop_left()
        yield


async def drop_left(ended: str | None = None) -> None:
    """Drop the databases of ended runs. `ended` is a run that is ending; its end is awaited."""
    async with _connected("postgres") as connection:
        if ended is not None:
            async with asyncio.timeout(soon()):
                await connection.execute("SELECT pg_advisory_lock($1), pg_advisory_unlock($1)", int(ended, 16))
        for name in await connection.fetch("SELECT datname FROM pg_database"):
            if (found := _NAME.fullmatch(name["datname"])) is None:
                continue
            key = int(found["run"], 16)
            if await connection.fetchval("SELECT pg_try_advisory_lock($1)", key):
                with suppress(asyncpg.PostgresError):  # it is owned by another user
                    await connection.execute(f'DROP DATABASE IF EXISTS "{found[0]}" WITH (FORCE)')
                await connection.execute("SELECT pg_advisory_unlock($1)", key)


def leave_out(reason: str) -> NoReturn:
    """Skip the test, or fail it if all services are required."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


@asynccontextmanager
async def postgresql(template: str = "template1") -> AsyncIterator[str]:
    """Create a database with a new name, yield its URL, and drop it."""
    name = new_name()
    await _execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield f"{SERVER}/{name}"
    finally:
        await _drop(name)


class EmptiedDatabases:
    """PostgreSQL databases with the tables of a template, reused by successive tests and emptied in between.

    Creating a database takes PostgreSQL many times as long as deleting a test's few rows. A database whose tables,
    columns, indexes or triggers were changed is dropped.
    """

    def __init__(self, template: str) -> None:
        self._template = template
        self._free: list[str] = []
        self._shape: str | None = None

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """Yield the URL of an empty database with a new name; afterwards its connections are closed."""
        name = new_name()
        if self._free:
            await _execute(f'ALTER DATABASE "{self._free.pop()}" RENAME TO "{name}"')
        else:
            await self._make(name)
        try:
            yield f"{SERVER}/{name}"
        finally:
            if await self._is_emptied(name):
                self._free.append(name)
            else:
                await _drop(name)

    async def close(self) -> None:
        """Drop them all."""
        while self._free:
            await _drop(self._free.pop())

    async def _make(self, name: str) -> None:
        await _execute(f'CREATE DATABASE "{name}" TEMPLATE "{self._template}"')
        if self._shape is None:
            async with _connected(name) as connection:
                self._shape = await connection.fetchval(_SHAPE)

    async def _is_emptied(self, name: str) -> bool:
        try:
            async with _connected(name) as connection:
                if await connection.fetchval(_SHAPE) != self._shape:
                    return False
                await connection.execute(_EMPTY)
        except asyncpg.PostgresError:  # for example, a test has dropped it, or denies connections
            return False
        return True


_SHAPE = """
SELECT md5(string_agg(part, ';' ORDER BY part)) AS shape FROM (
    SELECT format('%s %s %s %s', attrelid::regclass, attname, atttypid, attnotnull) FROM pg_attribute
    JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s', tgrelid::regclass, pg_get_triggerdef(oid)) || tgenabled::text FROM pg_trigger
    UNION ALL SELECT format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s', schemaname, indexdef) FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%s %s', setdatabase, setconfig) FROM pg_db_role_setting
    JOIN pg_database ON pg_database.oid = setdatabase AND datname = current_database()
    UNION ALL SELECT version_num FROM public.alembic_version
) AS parts (part)
"""
_EMPTY = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid();
SET session_replication_role = replica;  -- no foreign keys, and no triggers that keep the log
DO $$
DECLARE one regclass;
BEGIN
    FOR one IN SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
        AND relname <> 'alembic_version'
    LOOP
        EXECUTE format('DELETE FROM %s', one);
    END LOOP;
    FOR one IN SELECT oid FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace LOOP
        EXECUTE format('ALTER SEQUENCE %s RESTART', one);
    END LOOP;
END $$
"""


@contextmanager
def memory_folder() -> Iterator[Path]:
    """Yield a new folder, in memory if there is room: syncing files there costs nothing.

    Starting a server over SQLite takes half as long as on a disk.
    """
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _MEMORY_NEEDED
    with TemporaryDirectory(prefix=f"{FOLDERS}{run_name()}-", dir=_MEMORY if has_room else None) as folder:
        yield Path(folder)


@contextmanager
def sqlite(folder: Path, template: Path | None = None) -> Iterator[str]:
    """Yield the URL of a new database file, copied from the template if there is one."""
    path = folder / f"{secrets.token_hex(6)}.db"
    if template is not None:
        shutil.copyfile(template, path)
    yield f"sqlite:///{path}"
    for left in folder.glob(f"{path.name}*"):
        left.unlink()


async def migrate(url: str) -> None:
    """Create the tables."""
    database = Database(url)
    try:
        await migrations.migrate(database)
    finally:
        await database.close()


async def _drop(name: str) -> None:
    await _execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def run_name() -> str:
    """Return the name of this run of the tests, in hex."""
    return os.environ.setdefault(RUN, secrets.token_hex(6))


async def _execute(statement: str) -> None:
    async with _connected("postgres") as connection:
        await connection.execute(statement)


@contextmanager
def taken_away(database: Database) -> Iterator[None]:
    """No new connection to this SQLite database can be opened for a while."""
    file = Path(str(database.engine.url.database))
    away = file.rename(file.with_suffix(".away"))
    file.mkdir()
    try:
        yield
    finally:
        file.rmdir()
        away.rename(file)


@asynccontextmanager
async def _connected(name: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(f"{SERVER}/{name}", timeout=soon())
    try:
        yield connection
    finally:
        await connection.close()
