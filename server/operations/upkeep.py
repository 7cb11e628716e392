"""Monitored resources of a host: whether the database accepts writes, free disk space, the age of the last backup."""

import math
import shutil
import time
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.shares import SharedLock
from cadogan.server.subjects.admin.stored_settings import read_setting, write_setting

CHECK_SECONDS = 2.0
"""How long the result of a write check is cached."""
_LAST_BACKUP = "last_backup"


class WriteCheck:
    """Checks whether the database accepts writes, by writing: with a full disk it may still answer reads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._asking = SharedLock()
        self._checked_at = -math.inf
        self._problem: Exception | None = None

    async def find_problem(self) -> Exception | None:
        """Return the error of a recent write, or None if it succeeded."""
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
    """Return the free bytes on the disk of this folder. Raises OSError."""
    return shutil.disk_usage(folder).free


def database_file(database: Database) -> Path | None:
    """Return the file of an SQLite database; None for PostgreSQL, whose disk may be on another machine."""
    return Path(str(database.url.database)).absolute() if database.is_sqlite else None


def wal_bytes(file: Path) -> int:
    """Return the size of the write-ahead log beside an SQLite file; 0 if there is none."""
    try:
        return file.with_name(f"{file.name}-wal").stat().st_size
    except OSError:
        return 0


async def note_backup(connection: AsyncConnection, at: int) -> None:
    """Store the snapshot time of a backup, in milliseconds since 1970."""
    await write_setting(connection, _LAST_BACKUP, at)


async def backup_age_seconds(database: Database, now: int) -> float:
    """Return the age of the last backup by `cadogan backup`; if none is known, the time since 1970.

    `now` is in milliseconds since 1970. The result is always finite, because several processes exchange it as JSON.
    """
    async with database.reading() as connection:
        at = await read_setting(connection, _LAST_BACKUP, int)
    return max(0, now - (at or 0)) / 1000
