"""The command that analyses games, and the server that runs it in processes of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from cadogan.server.cli.serving import workers
from cadogan.server.config import Settings
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from tests.harness.lost_game import store_lost_game, wait_for_work
from tests.harness.patience import long


@pytest.fixture
async def jobs(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[AnalysisJobs]:
    """A queue in which the analysis of a lost game waits; who watches it looks often, as the work is soon done."""
    monkeypatch.setattr("cadogan.server.subjects.analysis.jobs.INTERVAL_SECONDS", 0.01)
    database = Database(sqlite_url)
    jobs = AnalysisJobs(database, now)
    await jobs.ask(await store_lost_game(database), WHOLE_GAME, "ann")
    yield jobs
    await database.close()


async def test_a_server_runs_an_analyst_that_gives_its_job_back_when_the_server_stops(
    jobs: AnalysisJobs, sqlite_url: str
) -> None:
    settings = replace(Settings(), database_url=sqlite_url, log_level="error")
    working = asyncio.create_task(workers.keep_analysing(settings))
    await wait_for_work(jobs)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert (await jobs.count())[:2] == (1, 0)


async def test_an_analyst_ends_with_the_server_that_was_killed(jobs: AnalysisJobs, sqlite_url: str) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")}
    environment |= {"CADOGAN_DATABASE_URL": sqlite_url, "CADOGAN_LOG_LEVEL": "error"}
    command = (sys.executable, "-m", "cadogan", "analyst", "--with-input")
    process = await asyncio.create_subprocess_exec(*command, env=environment, stdin=asyncio.subprocess.PIPE)
    await wait_for_work(jobs)
    assert process.stdin is not None
    process.stdin.close()  # as the system does it for a process that is killed
    async with asyncio.timeout(long()):
        assert await process.wait() == 0
    assert (await jobs.count())[:2] == (1, 0)


async def test_an_analyst_that_ends_is_logged_and_started_again(
    monkeypatch: pytest.MonkeyPatch, sqlite_url: str
) -> None:
    said: list[tuple[str, dict[str, object]]] = []
    enough = asyncio.Event()

    def warning(event: str, **what: object) -> None:
        said.append((event, what))
        if len(said) == 2:
            enough.set()

    monkeypatch.setattr(workers.log, "warning", warning)
    monkeypatch.setattr(workers, "MIN_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr("sys.executable", "false")
    working = asyncio.create_task(workers.keep_analysing(replace(Settings(), database_url=sqlite_url)))
    async with asyncio.timeout(long()):
        await enough.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert said[0] == ("analyst_ended", {"code": 1})
