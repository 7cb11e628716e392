"""What a host looks after: writes that the database takes, the size of SQLite's write-ahead log, the last backup."""

import asyncio
import resource
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import insert, text
from structlog.testing import capture_logs

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.sqlite import WAL_LIMIT_BYTES
from cadogan.server.core.database.tables import house_settings
from cadogan.server.core.eventlog.background_tasks import OutageLog
from cadogan.server.operations import upkeep
from cadogan.server.operations.upkeep import WriteCheck, backup_age_seconds, database_file, free_bytes, wal_bytes
from tests.harness.command_line import run

SMALL_BYTES = 4096


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_BYTES, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "CHECK_SECONDS", 0.0)


async def test_a_full_disk_is_no_database_that_takes_writes_and_the_log_has_its_own_words(
    sqlite_url: str, every_time: None
) -> None:
    database, outages = Database(sqlite_url), OutageLog()
    check = WriteCheck(database)
    assert await check.find_problem() is None
    with full_disk(), capture_logs() as logged:
        for _ in range(3):
            problem = await check.find_problem()
            assert problem is not None
            outages.log(problem)
    assert [line["event"] for line in logged] == ["database_unavailable"]
    assert "disk" in logged[0]["reason"]
    assert await check.find_problem() is None
    await database.close()


async def test_postgresql_takes_a_write_and_a_standby_does_not(postgresql_url: str, every_time: None) -> None:
    database = Database(postgresql_url)
    check = WriteCheck(database)
    assert await check.find_problem() is None
    async with database.writing() as connection:
        name = database.url.database
        await connection.execute(text(f'ALTER DATABASE "{name}" SET default_transaction_read_only = on'))
    await database.engine.dispose()
    problem = await check.find_problem()
    await database.close()
    assert "read-only transaction" in str(problem)


async def test_the_write_ahead_log_shrinks_again_after_a_long_reader(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    file = database_file(database)
    assert file is not None
    assert free_bytes(file.parent) > 0

    async def write(number: int) -> None:
        async with database.writing() as connection:
            await connection.execute(insert(house_settings).values(name=f"{number}", value="x" * WAL_LIMIT_BYTES))

    async with database.reading() as reader:
        await reader.execute(text("SELECT count(*) FROM house_settings"))
        await write(1)
        await write(2)
        assert wal_bytes(file) > 2 * WAL_LIMIT_BYTES
    async with database.writing() as connection:
        await connection.execute(text("DELETE FROM house_settings WHERE name = '1'"))
    async with database.writing() as connection:
        await connection.execute(insert(house_settings).values(name="3", value="x"))
    assert wal_bytes(file) <= WAL_LIMIT_BYTES
    await database.close()


@pytest.mark.both_databases
async def test_a_server_knows_how_old_the_last_backup_is(
    database: Database, database_url: str, tmp_path: object
) -> None:
    assert await backup_age_seconds(database, 5_000) == 5
    backup = await asyncio.to_thread(run, "backup", f"{tmp_path}/backup.gz", CADOGAN_DATABASE_URL=database_url)
    assert backup.exit_code == 0, backup.output
    age = await backup_age_seconds(database, now() + 3_600_000)
    assert 3600 <= age < 7200
