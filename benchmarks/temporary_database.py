"""Databases for measurements: fresh ones, made where the tests make theirs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.harness import databases

KINDS = ("sqlite", "postgresql")


@asynccontextmanager
async def fresh(database: str, folder: Path) -> AsyncIterator[str]:
    """The URL of a database with tables: a file in `folder` for "sqlite", one that is dropped again for "postgresql".

    Anything else is the URL of a database of one's own, which only gets its tables. Raises what the driver raises.
    """
    if database == "sqlite":
        with databases.sqlite(folder) as url:
            await databases.migrate(url)
            yield url
    elif database == "postgresql":
        async with databases.postgresql() as url:
            await databases.migrate(url)
            yield url
    else:
        await databases.migrate(database)
        yield database
