"""The command that searches deals for a win, and the server that runs it in a process of its own."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from cadogan.server.app import Server, opened
from cadogan.server.cli.serving import processes, workers
from cadogan.server.cli.serving.processes import run_process
from cadogan.server.config import Settings
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.database.tables import certificates
from cadogan.server.subjects.daily.challenges import DAYS_AHEAD
from tests.harness.command_line import run
from tests.harness.patience import long

CALENDAR = 'nodes = 60\n[[deal]]\nlevel = "easy"\ngames = ["nestor"]\n'


@pytest.fixture
def announced(sqlite_url: str, tmp_path: Path) -> Settings:
    """The settings of a server that has announced the coming days; today has begun."""
    (tmp_path / "calendar.toml").write_text(CALENDAR)
    settings = replace(Settings(), database_url=sqlite_url, calendar=str(tmp_path / "calendar.toml"))

    async def announce() -> None:
        async with opened(Server(settings)) as server:
            await server.challenges.list_days(now())

    asyncio.run(announce())
    return settings


async def count(settings: Settings) -> int:
    """How many deals have been searched."""
    async with open_database(settings.database_url) as database, database.reading() as connection:
        return (await connection.execute(select(func.count()).select_from(certificates))).scalar_one()


def test_the_command_searches_every_coming_deal_tells_no_candidate_and_does_nothing_the_second_time(
    announced: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.nice", lambda _: 0)  # the tests after this one are to keep their priority
    before = signal.getsignal(signal.SIGINT)
    first, again = (run("certify", CADOGAN_DATABASE_URL=announced.database_url) for _ in range(2))
    signal.signal(signal.SIGINT, before)
    assert first.exit_code == 0, first.output
    *lines, last = first.output.splitlines()
    assert last == f"{DAYS_AHEAD} deals searched"
    assert {line.partition(" ")[2] for line in lines} == {"(nestor): can be won"}
    assert again.output == "0 deals searched\n"
    assert asyncio.run(count(announced)) == DAYS_AHEAD


async def test_a_server_runs_the_command_in_a_process_of_its_own(
    announced: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = asyncio.Queue[int]()

    async def run_and_tell(command: Sequence[str], environment: Mapping[str, str]) -> int:
        code = await run_process(command, environment)
        ended.put_nowait(code)
        return code

    monkeypatch.setattr(workers, "run_process", run_and_tell)
    working = asyncio.create_task(workers.keep_certifying(announced))
    assert await ended.get() == 0
    assert await count(announced) == DAYS_AHEAD
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_with_a_beacon_today_is_searched_when_it_is_drawn_beside_the_hourly_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = asyncio.Queue[Sequence[str]]()

    async def begin(command: Sequence[str], environment: Mapping[str, str]) -> int:
        begun.put_nowait(command[3:])
        await asyncio.Event().wait()  # a search takes as long as it likes
        return 0

    monkeypatch.setattr(workers, "run_process", begin)
    with_beacon = replace(Settings(), beacon=f"drand:{'ab' * 32}@https://api.drand.sh")
    working = asyncio.create_task(workers.keep_certifying(with_beacon))
    assert {tuple(await begun.get()), tuple(await begun.get())} == {("certify",), ("certify", "--now")}
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_a_search_under_way_is_ended_with_its_server(tmp_path: Path) -> None:
    pipe = tmp_path / "pid"
    os.mkfifo(pipe)
    endless = ("sh", "-c", f"echo $$ > {pipe}; exec tail -f /dev/null")
    working = asyncio.create_task(run_process(endless, {"PATH": os.environ["PATH"]}))
    pid = int(await asyncio.to_thread(pipe.read_text))
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def children() -> set[str]:
    """The ids of the processes that this one has started and that have not been waited for."""
    pid = str(os.getpid())
    return set(Path("/proc", pid, "task", pid, "children").read_text().split())


@pytest.mark.parametrize("turns", range(1, 6))
async def test_a_search_that_is_ended_while_it_starts_is_waited_for(turns: int) -> None:
    before = children()
    working = asyncio.create_task(run_process(("tail", "-f", "/dev/null"), {"PATH": os.environ["PATH"]}))
    for _ in range(turns):
        await asyncio.sleep(0)
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert children() <= before


async def test_a_search_that_ends_at_the_moment_at_which_it_is_killed_holds_up_no_stop(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before, started = children(), tmp_path / "started"
    os.mkfifo(started)
    command = ("sh", "-c", f"echo > {started}; exec cat")
    for microseconds in range(0, 1000, 30):
        monkeypatch.setattr(processes, "STOP_SECONDS", microseconds / 1_000_000)
        working = asyncio.create_task(run_process(command, {"PATH": os.environ["PATH"]}))
        await asyncio.to_thread(started.read_text)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        assert children() <= before


async def test_a_search_that_hangs_is_ended_logged_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, sqlite_url: str, tmp_path: Path
) -> None:
    pipe, hangs = tmp_path / "pid", tmp_path / "hangs"
    os.mkfifo(pipe)
    hangs.write_text(f"#!/bin/sh\necho $$ > {pipe}\nexec tail -f /dev/null\n")
    hangs.chmod(0o700)
    failures = asyncio.Queue[dict[str, object]]()
    monkeypatch.setattr(workers.log, "warning", lambda event, **what: failures.put_nowait({"event": event, **what}))
    monkeypatch.setattr(workers, "INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(workers, "MAX_RUN_SECONDS", 0.5)
    monkeypatch.setattr("sys.executable", str(hangs))
    working = asyncio.create_task(workers.keep_certifying(Settings(database_url=sqlite_url)))
    pids = list[int]()
    async with asyncio.timeout(long()):
        while len(pids) < 2:  # a slow one may be ended before it has written
            pids += map(int, (await asyncio.to_thread(pipe.read_text)).split())
        assert (await failures.get())["event"] == "certify_failed"
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert len(set(pids)) == 2
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


async def test_a_search_that_fails_is_logged_and_tried_again(
    monkeypatch: pytest.MonkeyPatch, sqlite_url: str, tmp_path: Path
) -> None:
    said: list[dict[str, object]] = []
    enough = asyncio.Event()

    def warning(event: str, **what: object) -> None:
        said.append({"event": event, **what})
        if len(said) > 1:
            enough.set()

    monkeypatch.setattr(workers.log, "warning", warning)
    monkeypatch.setattr(workers, "INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr("sys.executable", str(tmp_path / "nothing"))
    working = asyncio.create_task(workers.keep_certifying(Settings(database_url=sqlite_url)))
    async with asyncio.timeout(long()):
        await enough.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working
    assert {one["event"] for one in said} == {"certify_failed"}
