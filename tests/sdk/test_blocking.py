"""The SDK for scripts: every call waits for its answer."""

import asyncio

import pytest

from clients.sdk.blocking import connect
from clients.sdk.errors import BadAddress, IllegalMove, Unauthorized
from tests.harness.running_server import RunningServer


def play_through(url: str) -> str | None:
    """A script: plays, takes back, looks and gives up; the token it played under."""
    with connect(url) as cadogan:
        game = cadogan.deal("klondike")
        before = game.piles
        assert str(game.play("deal").moves[-1]) == "deal"
        assert (game.played, game.over, game.status, game.score) == (1, False, "playing", -52)
        assert game.take_back().piles == before
        with pytest.raises(IllegalMove) as refused:
            game.play("waste/foundation.0")
        assert refused.value.said is not None
        assert cadogan.game(game.id).session == game.session
        assert game.resign().over
        assert "resigned" in str(game)
        day = cadogan.daily().day
        cadogan.enter(day).resign()
        assert cadogan.board(f"day:{day}").total == 1
        assert [live.game for live in cadogan.run(cadogan.client.list_live_games()).games] == []
        return cadogan.token


def look_on(url: str) -> None:
    """A script of nobody, who may look on and do nothing."""
    with connect(url, guest=False) as cadogan:
        assert cadogan.daily().deals
        with pytest.raises(Unauthorized):
            cadogan.deal("klondike")


async def test_a_script_plays_a_game_and_reads_the_board(sqlite_server: RunningServer) -> None:
    assert await asyncio.to_thread(play_through, sqlite_server.url) is not None


async def test_a_script_of_nobody_looks_on(sqlite_server: RunningServer) -> None:
    await asyncio.to_thread(look_on, sqlite_server.url)


def test_a_script_is_told_of_a_bad_address() -> None:
    with pytest.raises(BadAddress), connect("nowhere:at:all"):
        raise AssertionError("there is a server after all")
