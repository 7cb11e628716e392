"""The file of an SQLite database holds secrets, so only its owner may ever read it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.migrations import migrate
from tests.harness.command_line import run
from tests.harness.server_process import free_port


@pytest.fixture(autouse=True)
def everybody_may_read_new_files() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def readable_by_others(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if file.stat().st_mode & 0o077]


@pytest.mark.parametrize("before", ["no file", "an empty file"])
async def test_the_file_and_those_beside_it_are_private_from_the_first_moment(tmp_path: Path, before: str) -> None:
    if before == "an empty file":
        (tmp_path / "cadogan.db").touch(0o666)
    database = Database(f"sqlite:///{tmp_path}/cadogan.db")
    async with database.reading() as connection:
        await connection.execute(text("SELECT 1"))
        assert readable_by_others(tmp_path) == []
    await migrate(database)
    async with database.writing() as connection:
        await connection.execute(text("CREATE TABLE secrets (secret TEXT)"))
        assert {"cadogan.db-wal", "cadogan.db-shm"} <= set(os.listdir(tmp_path))
        assert readable_by_others(tmp_path) == []
    await database.close()


def test_a_server_that_refuses_to_start_leaves_nothing_that_others_can_read(tmp_path: Path) -> None:
    refused = run("serve", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/cadogan.db", CADOGAN_PORT=str(free_port()))
    assert refused.exit_code == 1
    assert "cadogan migrate" in refused.output
    assert readable_by_others(tmp_path) == []


async def test_a_device_in_place_of_the_file_keeps_its_permissions() -> None:
    held, device = os.openpty()
    try:
        os.fchmod(device, 0o622)
        database = Database(f"sqlite:///{os.ttyname(device)}")
        with pytest.raises(DBAPIError):
            async with database.reading() as connection:
                await connection.execute(text("SELECT 1"))
        await database.close()
        assert os.fstat(device).st_mode & 0o777 == 0o622
    finally:
        os.close(device)
        os.close(held)
