"""A server of several processes: one that is killed comes back, nothing is lost, and all of them end together."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from benchmarks.kill_harness import CommandHistory
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.patience import long
from tests.harness.people import Person, PlayerSocket
from tests.harness.several_processes import SeveralProcesses, is_alive

SPECTATORS = 24
"""So many connections that one process has all of them in one run of eight million."""


@pytest.fixture
async def server(postgresql_url: str, tmp_path: Path) -> AsyncIterator[SeveralProcesses]:
    """A server of two processes, on a database of its own."""
    async with asyncio.timeout(long()), SeveralProcesses(postgresql_url, tmp_path) as server:
        yield server


async def test_a_process_that_is_killed_in_the_middle_of_play_comes_back_and_no_move_is_lost(
    server: SeveralProcesses, postgresql_url: str
) -> None:
    history = CommandHistory()
    async with playing(history, server.url):
        for process in (1, 2):
            await history.wait_for_acknowledged(50)
            os.kill(server.pid_of(process), signal.SIGKILL)
            await server.wait_for("serving", 2, process=process)
            await history.wait_for_acknowledged(50)
    await assert_nothing_is_lost(history, postgresql_url)
    assert [(line["process"], line["code"]) for line in server.logged("process_ended")] == [(1, -9), (2, -9)]


async def test_a_game_is_watched_at_each_process_and_the_metrics_add_up(server: SeveralProcesses) -> None:
    async with aiohttp.ClientSession() as session, AsyncExitStack() as stack:
        ann = await Person(server.url, session).arrive()
        game = await ann.deal()
        own = await stack.enter_async_context(ann.connect())
        seen = await own.request("subscribe", game=game)
        spectators = [await stack.enter_async_context(ann_watched(server.url, game)) for _ in range(SPECTATORS)]
        await own.play(seen)
        for spectator in spectators:
            assert (await spectator.receive("move_played"))["game"] == game

        def has_everything(figures: dict[str, float]) -> bool:
            moves = sum(value for name, value in figures.items() if name.startswith("cadogan_moves_total"))
            all_connections = figures["cadogan_connections"] == SPECTATORS + 1
            return moves == 1 and all_connections and figures["cadogan_processes"] == 2

        before = await server.figures_when(has_everything)
        os.kill(server.pid_of(1), signal.SIGKILL)
        await server.wait_for("process_ended", process=1)
        after = await server.figures()
        assert after["cadogan_processes"] == 1
        assert 0 < after["cadogan_connections"] <= SPECTATORS
        counters = [name for name in before if "_total" in name or "_bucket" in name or "_count" in name]
        assert [name for name in counters if after[name] < before[name]] == []

        await server.wait_for("serving", 2, process=1)
        back = await server.figures_when(lambda figures: figures["cadogan_processes"] == 2)
        assert back["cadogan_process_restarts_total"] == 1


async def test_all_processes_say_goodbye_and_end_on_one_signal(server: SeveralProcesses) -> None:
    async with aiohttp.ClientSession() as session, AsyncExitStack() as stack:
        people = [await Person(server.url, session).arrive() for _ in range(SPECTATORS)]
        sockets = [await stack.enter_async_context(person.connect()) for person in people]
        assert await asyncio.to_thread(server.stop) == 0
        for socket in sockets:
            await socket.connection.wait_closed()
        assert {socket.connection.close_code for socket in sockets} == {1001}
    assert not any(map(is_alive, server.pids()))
    assert sorted(line.get("process", 0) for line in server.logged("stopped")) == [0, 1, 2]
    assert server.logged("process_ended") == []


async def test_the_processes_end_with_a_supervisor_that_is_killed(server: SeveralProcesses) -> None:
    await asyncio.to_thread(server.kill)
    await server.wait_for("stopped", process=1)
    await server.wait_for("stopped", process=2)
    await server.start()


async def test_a_process_that_is_told_to_end_is_replaced_and_what_it_counted_stays(server: SeveralProcesses) -> None:
    async with aiohttp.ClientSession() as session:
        await Person(server.url, session).arrive()
    guests = 'cadogan_requests_total{method="POST",route="/api/v1/session/guest",status="200"}'
    await server.figures_when(lambda figures: figures.get(guests) == 1)
    for process in (1, 2):
        os.kill(server.pid_of(process), signal.SIGTERM)
        await server.wait_for("serving", 2, process=process)
    after = await server.figures()
    assert after[guests] == 1
    assert [line["code"] for line in server.logged("process_ended")] == [0, 0]


async def test_analysts_run_once_beside_all_processes(postgresql_url: str, tmp_path: Path) -> None:
    async with SeveralProcesses(postgresql_url, tmp_path, settings={"CADOGAN_ANALYSTS": "1"}) as server:
        await server.wait_for("analysing")
    assert len(server.logged("analysing")) == 1


@asynccontextmanager
async def ann_watched(url: str, game: str) -> AsyncIterator[PlayerSocket]:
    """A stranger's socket that watches the game."""
    async with aiohttp.ClientSession() as session, Person(url, session).connect() as socket:
        await socket.request("subscribe", game=game)
        yield socket
