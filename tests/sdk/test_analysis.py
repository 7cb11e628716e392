"""The analysis of games through the SDK, on a real server."""

import asyncio

import pytest

from clients.sdk import Client, Game, connect
from clients.sdk.errors import Conflict, NotFound, Unauthorized
from clients.wire.analysis import Analysis, AnalysisChanged
from server.fairness import commit_reveal
from tests.harness.running_server import RunningServer

TIMEOUT_SECONDS = 120


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deal has the same secret, and with the same nonce the same cards."""
    monkeypatch.setattr(commit_reveal, "draw_secret", lambda: bytes(range(commit_reveal.SECRET_BYTES)))


async def finished(client: Client, moves: int = 2) -> Game:
    """A game of Quatorze that was given up after some moves."""
    game = await client.deal("quatorze", "mine")
    for _ in range(moves):
        await game.play(game.moves[0])
    await game.resign()
    return game


async def test_an_analysis_that_nobody_works_on_waits_and_is_watched(either: Client) -> None:
    game = await finished(either)
    assert (await either.show_analysis(game.id)).state == "none"
    told: asyncio.Queue[object] = asyncio.Queue()
    stop = either.watch_analysis(game.id, told.put_nowait)
    assert (await analysis_of(told)).state == "none"
    asked = await either.analyse_game(game.id)
    assert (asked.state, asked.ahead) == ("waiting", 0)
    assert await analysis_of(told) == asked
    with pytest.raises(NotFound):
        await either.show_way(game.id, 1)
    stop()
    either.watch_analysis("no-such-game", told.put_nowait)
    while not isinstance(news := await told.get(), NotFound):
        assert isinstance(news, AnalysisChanged)


async def analysis_of(told: "asyncio.Queue[object]") -> Analysis:
    """The analysis in the next message."""
    message = await told.get()
    assert isinstance(message, AnalysisChanged)
    return message.analysis


async def test_only_a_finished_game_is_analysed_and_only_for_who_is_signed_in(
    sqlite_server: RunningServer, either: Client
) -> None:
    game = await either.deal("quatorze")
    with pytest.raises(Conflict):
        async for _ in either.follow_analysis(game.id):
            pass
    await game.resign()
    async with connect(sqlite_server.url, guest=False) as nobody:
        with pytest.raises(Unauthorized):
            await nobody.analyse_game(game.id)
        assert (await nobody.show_analysis(game.id)).state == "none"


async def test_two_runs_of_one_deal_are_compared(either: Client) -> None:
    game = await finished(either, moves=2)
    again = await either.game((await either.play_on(game.id, 2)).game.id)
    assert again.played == 1
    card = again.session.game
    assert card is not None
    assert card.origin is not None
    assert (card.origin.game, card.origin.version) == (game.id, 2)
    await again.play(again.moves[-1])
    await again.resign()
    compared = await either.compare_games(game.id, again.id)
    assert compared.common_moves == 1
    assert [(run.game, run.moves, run.version) for run in compared.runs] == [(game.id, 2, 3), (again.id, 2, 3)]
    with pytest.raises(Conflict):
        await either.compare_games(game.id, (await finished(either)).id)


async def test_a_question_that_waits_for_too_long_is_answered_without_a_verdict(sqlite_server: RunningServer) -> None:
    async with connect(sqlite_server.url, timeout_seconds=1) as client:
        game = await client.deal("quatorze")
        answer = await game.ask_if_winnable()
        assert (answer.version, answer.verdict, answer.ahead) == (1, None, 0)
