"""Connect to a real server as different players, and watch what is live."""

import asyncio

import pytest

from cadogan.sdk import Client, connect
from cadogan.sdk.errors import (
    BadAddress,
    NotFound,
    NotYourSeat,
    NoWinnableDeal,
    RefusalError,
    SpoilerEmbargo,
    Unauthorized,
    Unreachable,
)
from cadogan.wire import messages as wire
from cadogan.wire.races import NewRace
from tests.harness.running_server import RunningServer
from tests.harness.server_process import UNREACHABLE_URL


async def test_a_day_is_watched_and_an_unknown_race_is_not_found(sqlite_server: RunningServer, either: Client) -> None:
    received: asyncio.Queue[object] = asyncio.Queue()
    day = (await either.show_daily()).day
    game = await either.enter(day)
    stop = either.watch_day(day, received.put_nowait)
    progress = await received.get()
    assert isinstance(progress, wire.DayProgress)
    assert [meter.game for meter in progress.games] == [game.id]
    stop()
    either.watch_race("no-such-race", received.put_nowait)
    assert isinstance(await received.get(), NotFound)


async def test_a_race_and_a_leaderboard_are_watched(either: Client) -> None:
    received: asyncio.Queue[object] = asyncio.Queue()
    race = await either.open_race(NewRace(rules="quatorze", nonce="mine", open=True))
    either.watch_race(race.race, received.put_nowait)
    assert isinstance(await received.get(), wire.Race)
    either.watch_board("deal:no-such-deal", received.put_nowait)
    while not isinstance(news := await received.get(), RefusalError):
        pass
    assert isinstance(news, NotFound)


async def test_after_signing_in_the_socket_is_that_of_the_new_player(
    sqlite_server: RunningServer, either: Client
) -> None:
    assert either.address == sqlite_server.url
    game = await either.deal("klondike")
    game.close()
    await either.begin_as_guest()
    await either.renew()
    with pytest.raises(NotYourSeat):
        await (await either.game(game.id)).play("deal")


async def test_a_game_goes_on_while_its_player_claims_a_name(either: Client) -> None:
    game = await either.deal("klondike")
    before = either.token
    claimed = await either.claim_name("Ada Byron", "correct horse")
    assert either.token == claimed.token != before
    await game.play("deal")
    assert (await either.who_am_i()).player == claimed.player


async def test_after_closing_every_call_is_unreachable(either: Client) -> None:
    game = await either.deal("klondike")
    await either.close()
    with pytest.raises(Unreachable):
        await either.show_daily()
    with pytest.raises(Unreachable):
        await game.play("deal")
    with pytest.raises(Unreachable):
        async for _ in game.changes():
            pass


async def test_practice_is_refused_until_the_ranked_attempt_is_over(either: Client) -> None:
    with pytest.raises(SpoilerEmbargo):
        await either.practise()
    await (await either.enter()).resign()
    game = await either.practise()
    assert game.session.game is not None
    assert (game.session.game.mode, game.session.game.ranked) == ("practice", False)


async def test_a_token_identifies_the_same_player(sqlite_server: RunningServer, either: Client) -> None:
    async with connect(sqlite_server.url, either.token) as again:
        assert await again.who_am_i() == await either.who_am_i()


async def test_an_unknown_token_is_unauthorized(sqlite_server: RunningServer) -> None:
    async with connect(sqlite_server.url, "false") as client:
        with pytest.raises(Unauthorized):
            await client.deal("klondike")


@pytest.mark.slow
async def test_a_deal_that_can_be_won_is_dealt_or_none_is_found_in_time(either: Client) -> None:
    game = await either.deal("quatorze", winnable=True)
    assert game.session.game is not None
    assert game.session.game.winnable
    with pytest.raises(NoWinnableDeal):
        await either.deal("queens", winnable=True)


async def test_a_numbered_deal_is_dealt(either: Client) -> None:
    game = await either.deal("freecell", number=617)
    assert game.session.game is not None
    assert game.session.game.number == 617
    assert [str(game.piles[f"tableau.{column}"][0]) for column in range(8)] == [
        "7D",
        "AD",
        "5C",
        "3S",
        "5S",
        "8C",
        "2D",
        "AH",
    ]


async def test_an_unknown_game_is_not_found(either: Client) -> None:
    with pytest.raises(NotFound):
        await either.game("no-such-game")


async def test_a_missing_server_is_unreachable_and_a_bad_address_is_refused() -> None:
    with pytest.raises(Unreachable):
        async with connect(UNREACHABLE_URL, timeout_seconds=0.5):
            raise AssertionError("there is a server after all")
    with pytest.raises(BadAddress):
        async with connect("ftp://127.0.0.1"):
            raise AssertionError("there is a server after all")
