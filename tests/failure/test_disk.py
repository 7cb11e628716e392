"""A full disk, the server's or PostgreSQL's: commands are refused, none is lost, and play goes on with room again."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path

from benchmarks.kill_harness import CommandHistory
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.forked_server import ForkedServer
from tests.harness.patience import long
from tests.harness.postgresql_cluster import Cluster
from tests.harness.server_process import NO_RATE_LIMIT

ROUNDS = 2
FULL = 4096
"""Bytes beyond which no file grows while the disk is full."""
DISK = 256
"""MiB on the disk that PostgreSQL has to itself."""


async def test_a_full_disk_refuses_moves_and_loses_none(sqlite_url: str, tmp_path: Path) -> None:
    history = CommandHistory()
    async with ForkedServer(sqlite_url, tmp_path / "server.log", NO_RATE_LIMIT) as server:
        room = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        async with asyncio.timeout(long()), playing(history, server.url):
            for _ in range(ROUNDS):
                await history.wait_for_acknowledged(50)
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (FULL, room[1]))
                await history.wait_for_refusal()
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, room)
            await history.wait_for_acknowledged(50)
    await assert_nothing_is_lost(history, sqlite_url)


async def test_a_full_disk_of_postgresql_refuses_moves_and_loses_none(tmp_path: Path) -> None:
    history = CommandHistory()
    with Cluster(DISK) as cluster:
        async with cluster.database() as name:
            address = cluster.address(name)
            server = ForkedServer(address, tmp_path / "server.log", NO_RATE_LIMIT)
            await asyncio.to_thread(server.command, "migrate")
            async with server, asyncio.timeout(long()), playing(history, server.url):
                for _ in range(ROUNDS):
                    await history.wait_for_acknowledged(50)
                    cluster.fill()
                    await history.wait_for_refusal()
                    cluster.clear()
                await history.wait_for_acknowledged(50)
            await assert_nothing_is_lost(history, address)
