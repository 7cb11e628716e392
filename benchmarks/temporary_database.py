"""Databases for benchmarks: each is new, has all tables, and lies where the tests' databases lie."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.harness import databases

DATABASES = ("sqlite", "postgresql")


@asynccontextmanager
async def temporary_database(database: str, folder: Path) -> AsyncIterator[str]:
    """Give the URL of a database with all tables, as a context manager.

    `database` is "sqlite" for a new file in `folder`, or "postgresql" for a new database that is dropped at the end.
    Anything else is taken as the URL of an existing database; its tables are created, and it stays.
    Raises what the database driver raises.
    """
    if database == "sqlite":
        with databases.sqlite(folder) as url:
            await databases.migrate(url)
            yield url
    elif database == "postgresql":
        async with databases.database_lock(), databases.postgresql() as url:
            await databases.migrate(url)
            yield url
    else:
        await databases.migrate(database)
        yield database
