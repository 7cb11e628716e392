"""The SDK without `async`: every call waits for its answer."""

import asyncio

import pytest

from cadogan.sdk.blocking import connect
from cadogan.sdk.errors import BadAddress, IllegalMove, Unauthorized
from tests.harness.running_server import RunningServer


def play_through(url: str) -> str | None:
    """Play, take back, read and resign as a script does; return the token of its player."""
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
        day = cadogan.show_daily().day
        run = cadogan.enter(day)
        run.play(run.moves[0]).resign()
        assert cadogan.show_board(f"day:{day}").total == 1
        assert [live.game for live in cadogan.list_live_games().games] == []
        return cadogan.token


def read_without_an_account(url: str) -> None:
    """Read a day without signing in, and be refused a game."""
    with connect(url, guest=False) as cadogan:
        assert cadogan.show_daily().deals
        with pytest.raises(Unauthorized):
            cadogan.deal("klondike")


async def test_a_script_plays_a_game_and_reads_the_board(sqlite_server: RunningServer) -> None:
    assert await asyncio.to_thread(play_through, sqlite_server.url) is not None


async def test_a_script_without_an_account_can_only_read(sqlite_server: RunningServer) -> None:
    await asyncio.to_thread(read_without_an_account, sqlite_server.url)


def test_a_bad_address_is_refused() -> None:
    with pytest.raises(BadAddress), connect("nowhere:at:all"):
        raise AssertionError("there is a server after all")
