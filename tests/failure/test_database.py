"""A PostgreSQL killed, restarted or cut off while people play loses no acknowledged move, and plays none twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import aiohttp
import pytest

from benchmarks.guest_client import create_guest
from benchmarks.kill_harness import CommandHistory, RandomPlayer
from tests.failure.verdicts import assert_nothing_is_lost
from tests.harness import databases
from tests.harness.forked_server import ForkedServer
from tests.harness.network_proxy import NetworkProxy
from tests.harness.postgresql_cluster import Cluster
from tests.harness.server_process import NO_RATE_LIMIT

PLAYERS = 6
ROUNDS = 2

Trouble = Callable[[Cluster, NetworkProxy, CommandHistory], Awaitable[None]]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL server that may be killed."""
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
async def cut(cluster: Cluster) -> AsyncIterator[NetworkProxy]:
    """The way from the server to its database, which can be cut."""
    async with NetworkProxy(cluster.port) as cut:
        yield cut


async def kill(cluster: Cluster, _: NetworkProxy, __: CommandHistory) -> None:
    """The power fails on the database's machine, and comes back."""
    await asyncio.to_thread(cluster.kill)
    await asyncio.to_thread(cluster.start)


async def restart(cluster: Cluster, _: NetworkProxy, __: CommandHistory) -> None:
    """The host restarts the database."""
    await asyncio.to_thread(cluster.restart)


async def part(_: Cluster, cut: NetworkProxy, history: CommandHistory) -> None:
    """Every connection is reset, and none is made until a player is refused."""
    cut.reset()
    await history.wait_for_refusal()
    cut.mend()


async def pull(_: Cluster, cut: NetworkProxy, history: CommandHistory) -> None:
    """The cable is pulled: nothing comes and nothing is said, until a player is refused."""
    cut.silence()
    await history.wait_for_refusal()
    cut.mend()


@pytest.mark.parametrize("trouble", [kill, restart, part, pull])
async def test_commands_wait_or_are_refused_and_none_is_lost_or_doubled(
    cluster: Cluster, cut: NetworkProxy, tmp_path: Path, trouble: Trouble
) -> None:
    async with cluster.database() as name:
        direct, through = cluster.address(name), cluster.address(name, cut.port)
        server = ForkedServer(through, tmp_path / "server.log", NO_RATE_LIMIT)
        await databases.migrate(direct)
        history, up, enough = CommandHistory(), asyncio.Event(), asyncio.Event()
        async with server, aiohttp.ClientSession() as http, asyncio.TaskGroup() as group:
            for number in range(PLAYERS):
                seat = await create_guest(http, server.url)
                group.create_task(RandomPlayer(f"player{number}", seat, history, number).play(up, enough))
            up.set()
            for _ in range(ROUNDS):
                await history.wait_for_acknowledged(50)
                await trouble(cluster, cut, history)
            await history.wait_for_acknowledged(50)
            enough.set()
        assert history.refused_count > 0, "nobody was ever refused: the database was never away"
        await assert_nothing_is_lost(history, direct)
