"""Limits: how fast one may ask, from where, and what happens when the server stops."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from server.config import Settings
from server.core.rate_limits import AddressLimit, Bucket
from tests.harness.running_server import House, open_house


@pytest.fixture
async def strict_house(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A house where one may say three things at once, and another after a second; none passes while one looks."""
    monkeypatch.setattr("server.http.websocket.Bucket", partial(Bucket, clock=lambda: 0.0))
    monkeypatch.setattr("server.app.AddressLimit", partial(AddressLimit, clock=lambda: 0.0))
    async for one in open_house(Settings(database_url=sqlite_url, rate=1, burst=3)):
        yield one


async def test_who_asks_too_fast_is_told_how_long_to_wait(strict_house: House) -> None:
    async with strict_house.stranger().talk() as talk:
        answers = [await talk.ask("ping") for _ in range(4)]
    assert [answer["type"] for answer in answers] == ["pong", "pong", "pong", "refused"]
    assert (answers[3]["code"], answers[3]["id"]) == ("rate_limited", "ping-4")
    assert answers[3]["retry_after"] == 1.001


async def test_what_cannot_be_read_counts_as_said_too(strict_house: House) -> None:
    async with strict_house.stranger().talk() as talk:
        answers = [await talk.ask("mumble") for _ in range(4)]
    assert [answer["code"] for answer in answers] == ["bad_message"] * 3 + ["rate_limited"]


async def test_one_address_begins_as_so_many_guests_at_once_and_no_more(strict_house: House) -> None:
    statuses = [(await strict_house.stranger().post("/session/guest"))[0] for _ in range(4)]
    assert statuses == [200, 200, 200, 429]


async def test_another_sites_page_opens_no_socket(small_house: House) -> None:
    address = small_house.url.replace("http", "ws", 1) + "/ws/v1"
    with pytest.raises(InvalidStatus) as refused:
        await connect(address, origin="https://elsewhere.example", proxy=None)  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
    async with connect(address, origin=small_house.url, proxy=None):  # type: ignore[arg-type]
        pass


async def test_no_compression_is_agreed_to(small_house: House) -> None:
    async with small_house.stranger().talk(compression="deflate") as talk:
        assert talk.connection.protocol.extensions == []


async def test_a_server_that_stops_does_not_wait_for_what_never_ends(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.app.FAREWELL", 0.05)

    async def endless() -> None:
        await asyncio.Event().wait()

    async with asyncio.timeout(60):
        async for house in open_house(Settings(database_url=sqlite_url)):
            house.service.race_keeper.background.start(endless)


async def test_a_server_that_stops_says_so_and_leaves_no_move_unwritten(sqlite_url: str) -> None:
    async for house in open_house(Settings(database_url=sqlite_url)):
        ann = await house.guest()
        game = await ann.deal()
        talking = ann.talk()
        talk = await talking.__aenter__()
        assert (await talk.ask("play", game=game, version=1, move="deal"))["version"] == 2
    await talk.connection.wait_closed()
    assert talk.connection.close_code == 1001
    async for house in open_house(Settings(database_url=sqlite_url)):
        assert (await house.stranger().get(f"/games/{game}"))[1]["version"] == 2
