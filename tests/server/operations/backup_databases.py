"""The databases that are backed up and restored in tests, and their content."""

import gzip
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, inspect, select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import (
    metadata,
)
from tests.harness import databases

Change = Callable[[list[bytes]], list[bytes]]


@pytest.fixture
async def lived(tmp_path: Path, lived_template: Path) -> AsyncIterator[Database]:
    """An SQLite database with two days of play in it."""
    with databases.sqlite(tmp_path, lived_template) as url:
        database = Database(url)
        yield database
        await database.close()


@pytest.fixture
async def empty(sqlite_url: str) -> AsyncIterator[Database]:
    """An SQLite database with the tables, in which nothing is."""
    database = Database(sqlite_url)
    yield database
    await database.close()


@pytest.fixture
async def bare(tmp_path: Path) -> AsyncIterator[Database]:
    """An SQLite database without tables: to create them takes as long as to restore these two days."""
    with databases.sqlite(tmp_path) as url:
        database = Database(url)
        yield database
        await database.close()


@pytest.fixture
async def bare_postgresql(postgresql_server: None) -> AsyncIterator[Database]:
    """A PostgreSQL database without tables."""
    async with databases.postgresql() as url:
        database = Database(url)
        yield database
        await database.close()


async def content(database: Database) -> dict[str, list[Any]]:
    """Every row of every table."""
    found = {}
    async with database.reading() as connection:
        for table in metadata.sorted_tables:
            rows = await connection.execute(select(table).order_by(*table.primary_key))
            found[table.name] = [tuple(row) for row in rows]
    return found


async def tables(database: Database) -> list[str]:
    """The names of the tables that are there."""
    async with database.reading() as connection:
        return await connection.run_sync(_names)


def _names(connection: Connection) -> list[str]:
    return inspect(connection).get_table_names()


def rewrite(file: Path, change: Change) -> None:
    """Change the lines of a backup, and pack them again."""
    with gzip.open(file) as packed:
        before = packed.readlines()
    with gzip.open(file, "wb") as packed:
        packed.writelines(change(before))
