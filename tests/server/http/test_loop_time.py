"""What the requests and messages of an address take of the event loop is charged to it, and to nobody else."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import aiohttp
import pytest

from cadogan.server.config import Settings
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.core.web.requests import SERVER
from tests.harness.patience import soon
from tests.harness.raw_client import connect_raw
from tests.harness.running_server import RunningServer, open_server

RATE = 1_000_000
SECONDS = 0.2
"""For so long an address has to wait that has used up a millisecond more than it may."""


@pytest.fixture
async def slow_payer(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server on which an address may use 20 milliseconds at once, and then five a second."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.MILLISECONDS_AT_ONCE", 0)
    monkeypatch.setattr("cadogan.server.core.rate_limits.MIN_MILLISECONDS_AT_ONCE", 20)
    monkeypatch.setattr("cadogan.server.core.rate_limits.MILLISECONDS_OF_AN_ADDRESS", 1 / SECONDS / RATE)
    async with open_server(Settings(database_url=sqlite_url, rate=RATE, burst=RATE)) as one:
        yield one


async def test_an_address_that_has_used_up_its_time_is_refused_and_others_are_not(slow_payer: RunningServer) -> None:
    one, answered = slow_payer.stranger(), 0
    while (asked := await one.get("/session"))[0] == 200:
        answered += 1
    assert answered > 5
    assert (asked[0], asked[1]["code"]) == (429, "rate_limited")
    assert asked[1]["retry_after"] > 0
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))) as session:
        for _ in range(5):
            async with session.get(f"{slow_payer.url}/api/v1/session") as response:
                assert response.status == 200


async def test_messages_and_new_connections_of_an_address_that_owes_time_wait(slow_payer: RunningServer) -> None:
    loop, time_of_address = asyncio.get_running_loop(), slow_payer.app[SERVER].limits.time.bucket("127.0.0.1")
    async with slow_payer.stranger().connect() as socket:
        assert (await socket.request("ping"))["type"] == "pong"
        for ask in (partial(socket.request, "ping"), partial(ask_for_health, slow_payer.url)):
            time_of_address.charge_later(21)
            started = loop.time()
            await ask()
            assert loop.time() - started >= SECONDS / 2


async def ask_for_health(url: str) -> None:
    """Ask over a connection of its own."""
    async with connect_raw(url) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in await asyncio.wait_for(client.reader.readline(), soon())


async def test_the_head_of_a_request_costs_as_much_as_it_is_large(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.rate_limits.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    async with open_server(Settings(database_url=sqlite_url, rate=1, burst=1)) as running_server:
        one = running_server.stranger()
        large = {f"X-{number}": "a" * 8_000 for number in range(2)}
        statuses = []
        for _ in range(8):
            async with one.session.get(f"{one.url}/api/v1/session", headers=large) as response:
                statuses.append(response.status)
        assert statuses == [200] * 7 + [429]
