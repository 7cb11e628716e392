"""A file that another process is writing to: a write waits for it, and says so if that takes too long."""

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import text

from cadogan.server.cli.options import report_errors
from cadogan.server.cli.output import Failure
from cadogan.server.config import Settings
from cadogan.server.core.database.connections import Database


async def write(database: Database) -> None:
    """Write something, as a command would."""
    with report_errors(Settings()):
        async with database.writing() as connection:
            await connection.execute(text("DELETE FROM players"))


async def test_a_command_that_cannot_write_says_that_the_file_is_locked(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.database.sqlite.LOCK_TIMEOUT_SECONDS", 0)
    database = Database(sqlite_url)
    with closing(sqlite3.connect(str(database.url.database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Failure, match=r"the database cannot be used .*: database is locked"):
            await write(database)
        other.execute("ROLLBACK")
        await write(database)
    await database.close()
