"""Two nodes behind the proxy of the compose file, restarted one after another while people play."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator

import aiohttp
import pytest

from benchmarks.guest_client import create_guest
from benchmarks.kill_harness import CommandHistory, RandomPlayer
from benchmarks.log_checker import check_log, read_events, read_projections
from cadogan.server.core.database.connections import Database
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.subjects.known_rules import known_rules
from deploy.topology import Topology
from tests.harness import databases
from tests.harness.server_process import NO_RATE_LIMIT

PLAYERS = 6


@pytest.fixture
async def topology(postgresql_url: str) -> AsyncIterator[Topology]:
    """Two nodes on a database of their own, and the proxy; without Caddy the test is left out."""
    if shutil.which("caddy") is None:
        databases.leave_out("needs Caddy, the proxy of docker-compose.yml")
    async with Topology(postgresql_url, nodes=2, settings=NO_RATE_LIMIT) as topology:
        yield topology


async def test_a_rolling_restart_under_load_loses_no_move_and_refuses_no_command_finally(
    topology: Topology, postgresql_url: str
) -> None:
    history = CommandHistory()
    before = [node.pid for node in topology.nodes]
    up, enough = asyncio.Event(), asyncio.Event()
    async with aiohttp.ClientSession() as http, asyncio.TaskGroup() as group:
        for number in range(PLAYERS):
            seat = await create_guest(http, topology.url)
            group.create_task(RandomPlayer(f"player{number}", seat, history, number).play(up, enough))
        await _assert_the_figures_stay_inside(http, topology)
        up.set()
        await history.wait_for_acknowledged(100)
        await topology.rolling_restart()
        await history.wait_for_acknowledged(100)
        enough.set()
    assert [node.pid for node in topology.nodes] != before
    verdict = check_log(history, await read_events(postgresql_url))
    assert verdict.is_clean, verdict
    derived = await read_projections(postgresql_url)
    assert derived["games"]
    database = Database(postgresql_url)
    await rebuild(database, known_rules())
    await database.close()
    assert await read_projections(postgresql_url) == derived


async def _assert_the_figures_stay_inside(http: aiohttp.ClientSession, topology: Topology) -> None:
    for address, status in ((topology.url, 404), (topology.nodes[0].address, 401)):
        async with http.get(f"{address}/metrics") as answer:
            assert answer.status == status
