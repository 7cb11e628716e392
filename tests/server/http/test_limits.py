"""Limits: how fast one may ask, from where, and what happens when the server stops."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cadogan.server.config import Settings
from cadogan.server.core.rate_limits import AddressLimit
from tests.harness.databases import taken_away
from tests.harness.patience import soon
from tests.harness.running_server import RunningServer, open_server


@pytest.fixture
async def strict_server(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RunningServer]:
    """A server that makes three guests at once for one address, while its clock stands still."""
    monkeypatch.setattr("cadogan.server.core.rate_limits.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    async with open_server(Settings(database_url=sqlite_url, rate=1, burst=3)) as one:
        yield one


async def test_one_address_can_create_a_limited_number_of_guests_at_once(strict_server: RunningServer) -> None:
    statuses = [(await strict_server.stranger().post("/session/guest"))[0] for _ in range(4)]
    assert statuses == [200, 200, 200, 429]


async def test_a_guest_who_could_not_be_created_without_the_database_is_not_charged(
    strict_server: RunningServer,
) -> None:
    stranger = strict_server.stranger()
    await strict_server.server.database.engine.dispose()
    with taken_away(strict_server.server.database):
        assert [(await stranger.post("/session/guest"))[0] for _ in range(4)] == [503] * 4
    assert [(await stranger.post("/session/guest"))[0] for _ in range(4)] == [200, 200, 200, 429]


async def test_a_search_for_a_deal_that_can_be_won_counts_as_a_deal(strict_server: RunningServer) -> None:
    ann = await strict_server.guest()
    wanted: dict[str, Any] = {"deal": "aaaabbbbccccdddd", "nonce": "mine"}
    assert [(await ann.post("/games", wanted))[0] for _ in range(4)] == [404] * 4
    wanted["winnable"] = True
    assert [(await ann.post("/games", wanted))[0] for _ in range(4)] == [404, 404, 404, 429]


async def test_a_page_of_another_origin_opens_no_socket(sqlite_server: RunningServer) -> None:
    address = sqlite_server.url.replace("http", "ws", 1) + "/ws/v1"
    with pytest.raises(InvalidStatus) as refused:
        await connect(address, origin="https://elsewhere.example", proxy=None)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
    async with connect(address, origin=sqlite_server.url, proxy=None):  # type: ignore[arg-type]
        pass


async def test_compression_is_not_negotiated(sqlite_server: RunningServer) -> None:
    async with sqlite_server.stranger().connect(compression="deflate") as socket:
        assert socket.connection.protocol.extensions == []


async def test_a_stopping_server_does_not_wait_for_endless_requests(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.app.CLOSE_TIMEOUT_SECONDS", 0.05)

    async def endless() -> None:
        await asyncio.Event().wait()

    async with asyncio.timeout(soon()):
        async with open_server(Settings(database_url=sqlite_url)) as running_server:
            running_server.server.races.background.start(endless)


async def test_a_stopping_server_says_so_and_writes_every_accepted_move(sqlite_url: str) -> None:
    async with open_server(Settings(database_url=sqlite_url)) as running_server:
        ann = await running_server.guest()
        game = await ann.deal()
        talking = ann.connect()
        socket = await talking.__aenter__()
        assert (await socket.request("play", game=game, version=1, move="deal"))["version"] == 2
    await socket.connection.wait_closed()
    assert socket.connection.close_code == 1001
    async with open_server(Settings(database_url=sqlite_url)) as running_server:
        assert (await running_server.stranger().get(f"/games/{game}"))[1]["version"] == 2
