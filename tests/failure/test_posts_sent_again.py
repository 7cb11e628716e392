"""A POST that a killed node leaves behind the proxy is sent again by our clients, and carried out once."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from cadogan.sdk import connect
from deploy.topology import Topology
from tests.harness import databases
from tests.harness.patience import long

SCRIPT = Path(__file__).with_name("make_groups.mjs")
NAMES = ("Ann", "Bob", "Cat", "Dan")
"""The groups that are made with each client: half of them at the node that is killed."""


@pytest.fixture
async def topology(postgresql_url: str) -> AsyncIterator[Topology]:
    """Two nodes on a database of their own, and the proxy; without Caddy and Node the test is left out."""
    for tool in ("caddy", "node"):
        if shutil.which(tool) is None:
            databases.leave_out(f"{tool} is not installed")
    async with Topology(postgresql_url, nodes=2) as topology:
        yield topology


async def test_a_post_that_a_killed_node_leaves_is_sent_again_and_carried_out_once(topology: Topology) -> None:
    doomed = topology.nodes[0]
    async with asyncio.timeout(long()), AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        players = [await stack.enter_async_context(connect(topology.url)) for _ in NAMES]
        script = await asyncio.create_subprocess_exec(
            "node", str(SCRIPT), topology.url, *NAMES, stdin=PIPE, stdout=PIPE
        )
        assert script.stdin is not None
        assert script.stdout is not None
        assert await script.stdout.readline() == b"ready\n"
        os.kill(doomed.pid, signal.SIGSTOP)  # it takes requests, and answers none
        made = [group.create_task(player.make_group(name)) for player, name in zip(players, NAMES, strict=True)]
        while sum(one.done() for one in made) < len(NAMES) // 2:
            await asyncio.wait([one for one in made if not one.done()], return_when=asyncio.FIRST_COMPLETED)
        script.stdin.write(b"\n")
        for _ in range(len(NAMES) // 2):
            assert await script.stdout.readline() == b"made\n"
        os.kill(doomed.pid, signal.SIGKILL)
        printed, _ = await script.communicate()
        assert printed.splitlines() == [b"made", b"made", b"Ann Bob Cat Dan"]
        await asyncio.gather(*made)
        for player, name in zip(players, NAMES, strict=True):
            assert [one.name for one in (await player.list_groups()).groups] == [name]
