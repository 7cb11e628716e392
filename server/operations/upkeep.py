"""What a host looks after: whether the database takes writes, room on the disk, and the age of the last backup."""

import asyncio
import math
import shutil
import time
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.connections import Database
from cadogan.server.house.stored_settings import read_setting, write_setting

CHECK_SECONDS = 2.0
"""For so many seconds one answer to "does the database take writes" holds, however often it is asked."""
_LAST_BACKUP = "last_backup"


class WriteCheck:
    """Whether the database takes writes, by writing: one that only answers may have a full disk."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asking = asyncio.Lock()
        self._checked_at = -math.inf
        self._problem: Exception | None = None

    async def find_problem(self) -> Exception | None:
        """Return what the database said to a write a moment ago, or None if it took it."""
        async with self._asking:
            if time.monotonic() - self._checked_at >= CHECK_SECONDS:
                self._problem = await self._write()
                self._checked_at = time.monotonic()
            return self._problem

    async def _write(self) -> Exception | None:
        try:
            await self._database.test_write()
        except Exception as error:
            return error
        return None


def free_bytes(folder: Path) -> int:
    """Return how many bytes are free on the disk of a folder. Raises OSError."""
    return shutil.disk_usage(folder).free


def database_file(database: Database) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL, whose disk is elsewhere."""
    return Path(str(database.url.database)).absolute() if database.is_sqlite else None


def wal_bytes(file: Path) -> int:
    """Return the size of the write-ahead log beside an SQLite file; 0 if there is none."""
    try:
        return file.with_name(f"{file.name}-wal").stat().st_size
    except OSError:
        return 0


async def note_backup(connection: AsyncConnection, at: int) -> None:
    """Store that a backup shows the database as of this moment, in milliseconds since 1970."""
    await write_setting(connection, _LAST_BACKUP, at)


async def backup_age_seconds(database: Database, now: int) -> float:
    """Return how old the last backup is that `cadogan backup` wrote, as if it were of 1970 if none is known.

    `now` is in milliseconds since 1970. Figures are finite: several processes add them up as JSON.
    """
    async with database.reading() as connection:
        at = await read_setting(connection, _LAST_BACKUP, int)
    return max(0, now - (at or 0)) / 1000
