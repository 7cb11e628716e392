"""Connections: a limited number from one address, and an end for those who do not read."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import cast

import pytest
from aiohttp import web
from msgspec import json

from cadogan.server.cli.serving.web_server import READ_BYTES
from cadogan.server.config import Settings
from cadogan.server.core.rate_limits import CONNECTIONS_PER_SOCKET
from cadogan.server.http.listener import Listener
from cadogan.server.web_app import make_app
from tests.harness.costly_inputs import MAX_MILLISECONDS, TRIES
from tests.harness.patience import soon
from tests.harness.raw_client import RawClient, connect_raw, connect_raw_socket
from tests.harness.server_process import free_port

SOCKETS = 3
CHUNKS = (
    b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\n \r\n" * 60_000
)
FILE = b"GET /js/main.js HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
async def settings(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Settings]:
    """The settings of a server that listens as `cadogan serve` does."""
    monkeypatch.setattr(Settings, "sockets", SOCKETS)
    settings = Settings(database_url=sqlite_url, port=free_port())
    runner = web.AppRunner(make_app(settings), access_log=None, read_bufsize=READ_BYTES)
    await runner.setup()
    await Listener(runner, settings, 100).start()
    yield settings
    await runner.cleanup()


@pytest.mark.skipif("not __import__('socket').has_dualstack_ipv6()", reason="needs IPv6")
async def test_the_host_of_all_addresses_serves_both_families(sqlite_url: str) -> None:
    settings = Settings(database_url=sqlite_url, host="::", port=free_port())
    runner = web.AppRunner(make_app(settings), access_log=None)
    await runner.setup()
    await Listener(runner, settings, 100).start()
    for host in ("127.0.0.1", "::1"):
        reader, writer = await asyncio.open_connection(host, settings.port)
        assert await is_served(RawClient(reader, writer))
        writer.close()
    await runner.cleanup()


async def is_served(client: RawClient) -> bool:
    """Whether the server answers, and does not end the connection."""
    client.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    try:
        return b" 200 " in await asyncio.wait_for(client.reader.readline(), soon())
    except ConnectionError:
        return False


NO_HTTP = (
    (b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 431),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 9_000 + b"\r\n\r\n", 431),
    ("GET /api/v1/deals/é HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(), 400),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nno header\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
    (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: nothing\r\n\r\n", 400),
    (b"hello\r\n\r\n", 400),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
)


@pytest.mark.parametrize(("sent", "status"), NO_HTTP)
async def test_what_cannot_be_read_as_http_is_refused_as_everything_else(
    settings: Settings, sent: bytes, status: int
) -> None:
    async with connect_raw(f"http://127.0.0.1:{settings.port}") as client:
        client.send(sent)
        head, _, body = (await asyncio.wait_for(client.ended(), soon())).partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert int(lines[0].split()[1]) == status
    assert {"Content-Type: application/json", "Server: cadogan", "X-Content-Type-Options: nosniff"} <= {*lines}
    assert json.decode(body)["code"] == "bad_message"


async def send_for_ever(client: RawClient, data: bytes) -> None:
    """Send as fast as it is taken."""
    while True:
        client.send(data)
        await client.writer.drain()


async def test_one_address_has_a_limited_number_of_connections_and_others_get_in(settings: Settings) -> None:
    url = f"http://127.0.0.1:{settings.port}"
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(connect_raw_socket(url))
        for _ in range(SOCKETS * CONNECTIONS_PER_SOCKET - 1):
            assert await is_served(await stack.enter_async_context(connect_raw(url)))
        async with connect_raw(url) as one_too_many:
            assert not await is_served(one_too_many)
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.port, local_addr=("127.0.0.2", 0))
        assert await is_served(RawClient(reader, writer))
        writer.close()
        first.writer.close()
        async with asyncio.timeout(soon()):
            while True:
                async with connect_raw(url) as next_one:
                    if await is_served(next_one):
                        break


async def test_behind_proxies_their_connections_are_not_counted(settings: Settings) -> None:
    behind = replace(settings, port=free_port(), proxies=1)
    runner = web.AppRunner(make_app(behind), access_log=None)
    await runner.setup()
    await Listener(runner, behind, 100).start()
    async with AsyncExitStack() as stack:
        for _ in range(SOCKETS * CONNECTIONS_PER_SOCKET + 1):
            assert await is_served(await stack.enter_async_context(connect_raw(f"http://127.0.0.1:{behind.port}")))
    await runner.cleanup()


async def test_a_client_that_does_not_read_its_answers_is_disconnected(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.http.listener.MAX_UNREAD_SECONDS", 0.1)
    async with connect_raw(f"http://127.0.0.1:{settings.port}", deaf=True) as client:
        cast(asyncio.Transport, client.writer.transport).pause_reading()
        with pytest.raises(ConnectionError):
            await asyncio.wait_for(send_for_ever(client, FILE * 100), soon())


async def longest_step(until: "asyncio.Task[object]") -> float:
    """The most milliseconds of processor time that one round of the event loop takes until this task is done."""
    longest = 0.0
    while not until.done():
        started = time.thread_time()
        await asyncio.sleep(0)
        longest = max(longest, (time.thread_time() - started) * 1000)
    return longest


def read_to_the_end(connection: socket.socket) -> None:
    """Read what is answered until the server ends the connection."""
    with suppress(ConnectionError):
        while connection.recv(4096):
            pass


async def test_a_body_in_chunks_of_a_byte_holds_up_nobody(settings: Settings) -> None:
    longest = []
    for _ in range(TRIES):
        with socket.create_connection(("127.0.0.1", settings.port), soon()) as connection:
            connection.setblocking(False)
            connection.send(CHUNKS)  # all that the operating system takes, before the server reads any of it
            connection.settimeout(soon())
            longest.append(await longest_step(asyncio.create_task(asyncio.to_thread(read_to_the_end, connection))))
    assert min(longest) <= MAX_MILLISECONDS
