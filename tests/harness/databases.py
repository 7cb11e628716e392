"""Fresh databases for tests: a file for SQLite, a database on a running PostgreSQL server."""

import os
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NoReturn

import asyncpg
import pytest

from server.database import migrations
from server.database.connections import Database

SERVER = os.environ.get("CADOGAN_TEST_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432")
"""The PostgreSQL server on which databases are made and dropped, without a database's name."""

REQUIRED = os.environ.get("CADOGAN_REQUIRE_SERVICES") == "1"


async def answers() -> Exception | None:
    """Ask PostgreSQL for a sign of life and return what is wrong, if anything is."""
    try:
        connection = await asyncpg.connect(f"{SERVER}/postgres", timeout=60)
    except (OSError, TimeoutError, asyncpg.PostgresError) as error:
        return error
    await connection.close()
    return None


def skip_or_fail(error: Exception) -> None:
    """Skip the test, or fail where everything must run, because PostgreSQL does not answer."""
    leave_out(f"no PostgreSQL answers at {SERVER}: {error}")


def leave_out(reason: str) -> NoReturn:
    """Skip the test, or fail where everything must run."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


@asynccontextmanager
async def postgresql(template: str = "template1") -> AsyncIterator[str]:
    """Make a database of a new name, give its URL, and drop it."""
    name = f"cadogan_test_{secrets.token_hex(6)}"
    await _run(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    try:
        yield f"{SERVER}/{name}"
    finally:
        await _run(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def sqlite(folder: Path, template: Path | None = None) -> Iterator[str]:
    """Give the URL of a database file of a new name, a copy of the template if there is one."""
    path = folder / f"{secrets.token_hex(6)}.db"
    if template is not None:
        shutil.copyfile(template, path)
    yield f"sqlite:///{path}"
    for left in folder.glob(f"{path.name}*"):
        left.unlink()


async def migrate(url: str) -> None:
    """Make the tables."""
    database = Database(url)
    try:
        await migrations.migrate(database)
    finally:
        await database.close()


async def _run(statement: str) -> None:
    connection = await asyncpg.connect(f"{SERVER}/postgres")
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
