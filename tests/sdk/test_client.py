"""Connect to a real server as different players, and watch what is live."""

import asyncio

import pytest

from clients.sdk import Client, connect
from clients.sdk.errors import (
    BadAddress,
    NotFound,
    SpoilerEmbargo,
    Unauthorized,
    Unreachable,
)
from clients.wire import messages as wire
from tests.harness.running_server import RunningServer
from tests.harness.server_process import UNREACHABLE_URL


async def test_a_day_is_watched_and_an_unknown_race_is_not_found(sqlite_server: RunningServer, client: Client) -> None:
    told: asyncio.Queue[object] = asyncio.Queue()
    day = (await client.show_daily()).day
    game = await client.enter(day)
    stop = client.watch_day(day, told.put_nowait)
    progress = await told.get()
    assert isinstance(progress, wire.DayProgress)
    assert [meter.game for meter in progress.games] == [game.id]
    stop()
    client.watch_race("no-such-race", told.put_nowait)
    assert isinstance(await told.get(), NotFound)


async def test_practice_is_refused_until_the_ranked_attempt_is_over(client: Client) -> None:
    with pytest.raises(SpoilerEmbargo):
        await client.practise()
    await (await client.enter()).resign()
    game = await client.practise()
    assert game.session.game is not None
    assert (game.session.game.mode, game.session.game.ranked) == ("practice", False)


async def test_a_token_identifies_the_same_player(sqlite_server: RunningServer, client: Client) -> None:
    async with connect(sqlite_server.url, client.token) as again:
        assert await again.who_am_i() == await client.who_am_i()


async def test_an_unknown_token_is_unauthorized(sqlite_server: RunningServer) -> None:
    async with connect(sqlite_server.url, "false") as client:
        with pytest.raises(Unauthorized):
            await client.deal("klondike")


async def test_an_unknown_game_is_not_found(client: Client) -> None:
    with pytest.raises(NotFound):
        await client.game("no-such-game")


async def test_a_missing_server_is_unreachable_and_a_bad_address_is_refused() -> None:
    with pytest.raises(Unreachable):
        async with connect(UNREACHABLE_URL):
            raise AssertionError("there is a server after all")
    with pytest.raises(BadAddress):
        async with connect("ftp://127.0.0.1"):
            raise AssertionError("there is a server after all")
