"""One of two nodes is killed while people play: they go on at the other, and who watched at it counts no more."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp
import pytest

from benchmarks.kill_harness import CommandHistory
from deploy.topology import SupervisedProcess, Topology
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.patience import long
from tests.harness.people import Person
from tests.harness.server_process import NO_RATE_LIMIT

WATCHERS = 3


@pytest.fixture(params=["postgresql", "nats"])
async def topology(request: pytest.FixtureRequest, postgresql_url: str, nats_url: str) -> AsyncIterator[Topology]:
    """Two nodes on a database of their own, with a bus of each kind that needs a server."""
    bus = nats_url if request.param == "nats" else "postgresql"
    async with Topology(postgresql_url, nodes=2, bus=bus, settings=NO_RATE_LIMIT) as topology:
        yield topology


async def test_a_node_killed_in_the_middle_of_play_loses_nothing_and_its_watchers_count_no_more(
    topology: Topology, postgresql_url: str
) -> None:
    history = CommandHistory()
    doomed, other = topology.nodes
    async with asyncio.timeout(long()), aiohttp.ClientSession() as session, AsyncExitStack() as stack:
        ann = await Person(other.address, session).arrive()
        game = await ann.deal()
        own = await stack.enter_async_context(ann.connect())
        await own.request("subscribe", game=game)
        for _ in range(WATCHERS):
            watching = await stack.enter_async_context(Person(doomed.address, session).connect())
            await watching.request("subscribe", game=game)
        while (await own.receive("presence"))["watchers"] != WATCHERS:
            pass
        async with playing(history, topology.url, other.address):
            await history.wait_for_acknowledged(50)
            kill(doomed)
            while (await own.receive("presence"))["watchers"]:
                pass
            await history.wait_for_acknowledged(50)
            kill(doomed)
            await history.wait_for_acknowledged(50)
    await assert_nothing_is_lost(history, postgresql_url)


def kill(node: SupervisedProcess) -> None:
    """End a node as a power cut would; it is started again by itself."""
    os.kill(node.pid, signal.SIGKILL)
