"""A database that falls silent: the host's commands give up, and say why."""

from __future__ import annotations

import asyncio
import socket

import pytest
from sqlalchemy import text

from cadogan.server.core.database import connections
from cadogan.server.core.database.connections import open_database
from tests.harness.command_line import run
from tests.harness.network_proxy import NetworkProxy, through_proxy


@pytest.mark.slow
async def test_work_is_cancelled_when_the_database_stops_answering(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PING_INTERVAL_SECONDS", 0.1)

    async def work(cut: NetworkProxy, through: str) -> None:
        async with open_database(through) as database, database.reading() as connection:
            monkeypatch.setattr(connections, "ANSWER_TIMEOUT_SECONDS", 0.5)
            cut.silence()
            await connection.execute(text("SELECT 1"))

    async with through_proxy(postgresql_url) as (cut, through):
        with pytest.raises(TimeoutError):
            await work(cut, through)


async def test_work_may_take_longer_than_the_interval_of_health_checks(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PING_INTERVAL_SECONDS", 0.0)
    async with open_database(postgresql_url) as database, database.reading() as connection:
        assert await connection.scalar(text("SELECT 1 FROM pg_sleep(0.3)")) == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", [("migrate",), ("doctor",), ("root", "2026-11-20")])
async def test_a_command_says_that_the_database_does_not_answer(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "ANSWER_TIMEOUT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://cadogan@127.0.0.1:{silent.getsockname()[1]}/cadogan"
        said = await asyncio.to_thread(run, *command, CADOGAN_DATABASE_URL=url)
    assert said.exit_code == 1
    assert "the database does not answer" in said.output
