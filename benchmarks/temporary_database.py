"""Databases for benchmarks: new, with all tables, in the same places as the tests' databases."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.harness import databases

DATABASES = ("sqlite", "postgresql")


@asynccontextmanager
async def temporary_database(database: str, folder: Path) -> AsyncIterator[str]:
    """Yield the URL of a database with all tables.

    `database` is "sqlite" for a new file in `folder`, or "postgresql" for a new database that is dropped at the end.
    Any other value is the URL of an existing database; its tables are created, and it is not dropped. Raises the
    database driver's errors.
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
