"""A server that is told to stop does so within ten seconds, whoever holds a socket open and whatever they do on it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
from websockets.frames import Opcode

from benchmarks.guest_client import create_guest
from benchmarks.kill_harness import CommandHistory
from benchmarks.log_checker import read_events
from tests.failure.verdicts import assert_nothing_is_lost, playing
from tests.harness.network_proxy import through_proxy
from tests.harness.people import Person
from tests.harness.raw_client import RawClient, connect_raw, connect_raw_socket, masked
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

LIMIT = 10.0
SOCKETS = 1_000
DEAF = 10


async def test_sigterm_drains_thousands_of_sockets_slow_readers_among_them_in_ten_seconds(
    sqlite_url: str, tmp_path: Path
) -> None:
    server = ServerProcess(sqlite_url, tmp_path / "server.log", NO_RATE_LIMIT)
    slowness = await seconds_to_end(server)
    async with server, aiohttp.ClientSession() as session, AsyncExitStack() as stack:
        ann = await Person(server.url, session).arrive()
        game = await ann.deal()
        playing = await stack.enter_async_context(ann.connect())
        seen = await playing.request("subscribe", game=game)
        clients: list[RawClient] = []
        while len(clients) < SOCKETS:
            opening = (stack.enter_async_context(connect_raw_socket(server.url)) for _ in range(100))
            clients += await asyncio.gather(*opening)
        for _ in range(DEAF):
            deaf = await stack.enter_async_context(connect_raw_socket(server.url, deaf=True))
            deaf.send(masked(Opcode.TEXT, b'{"type":"ping","id":"%s"}' % (b"x" * 64)) * 20_000)
        half = await stack.enter_async_context(connect_raw(server.url))
        half.send(
            b"POST /api/v1/session HTTP/1.1\r\nHost: [::1]\r\nContent-Type: application/json\r\n"
            b"Content-Length: 9\r\n\r\n{"
        )
        answer = await playing.play(seen, id="last")
        while answer.get("code") == "unavailable":  # on a busy machine, beside such a flood: a client says it again
            answer = await playing.play(seen, id="last")
        leaving = [asyncio.ensure_future(_leave(client)) for client in clients]
        began = time.monotonic()
        assert await asyncio.to_thread(server.stop) == 0
        assert time.monotonic() - began < LIMIT + slowness
        assert set(await asyncio.gather(*leaving)) == {1001}
        await playing.connection.wait_closed()
        assert playing.connection.close_code == 1001
    written = [row for row in await read_events(sqlite_url) if row.stream == f"game/{game}"]
    assert written[-1].version == answer["version"]


async def test_a_server_whose_database_stops_answering_during_play_stops_in_ten_seconds_too(
    postgresql_url: str, tmp_path: Path
) -> None:
    history = CommandHistory()
    async with through_proxy(postgresql_url) as (cut, through):
        server = ServerProcess(through, tmp_path / "server.log", NO_RATE_LIMIT)
        slowness = await seconds_to_end(server)
        async with server, playing(history, server.url) as up:
            await history.wait_for_acknowledged(50)
            cut.silence()
            up.clear()
            began = time.monotonic()
            assert await asyncio.to_thread(server.stop) == 0
            assert time.monotonic() - began < LIMIT + slowness
            cut.mend()
            await server.start()
            up.set()
            await history.wait_for_acknowledged(50)
    await assert_nothing_is_lost(history, postgresql_url)


async def test_a_server_whose_database_file_is_locked_stops_in_ten_seconds_too(sqlite_url: str, tmp_path: Path) -> None:
    history = CommandHistory()
    server = ServerProcess(sqlite_url, tmp_path / "server.log", NO_RATE_LIMIT)
    slowness = await seconds_to_end(server)
    async with server, aiohttp.ClientSession() as http, playing(history, server.url) as up:
        await history.wait_for_acknowledged(50)
        holder = sqlite3.connect(sqlite_url.removeprefix("sqlite:///"), isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        coming = [asyncio.ensure_future(create_guest(http, server.url)) for _ in range(3)]
        _, waiting = await asyncio.wait(coming, timeout=0.5)
        assert len(waiting) == len(coming)
        up.clear()
        began = time.monotonic()
        assert await asyncio.to_thread(server.stop) == 0
        assert time.monotonic() - began < LIMIT + slowness
        assert all(
            isinstance(left, aiohttp.ClientError) for left in await asyncio.gather(*coming, return_exceptions=True)
        )
        holder.close()
        await server.start()
        up.set()
        await history.wait_for_acknowledged(50)
    await assert_nothing_is_lost(history, sqlite_url)


async def seconds_to_end(server: ServerProcess) -> float:
    """How long this machine, busy as it is, takes over the end of a server that has nothing to wait for."""
    await server.start()
    began = time.monotonic()
    await asyncio.to_thread(server.stop)
    return time.monotonic() - began


async def _leave(client: RawClient) -> int | None:
    """Answer the server's good-bye with one's own; the code that it had."""
    code = await client.close_code()
    client.send(masked(Opcode.CLOSE, (1001).to_bytes(2)))
    return code
