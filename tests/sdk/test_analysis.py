"""The analysis of games through the SDK, on a real server with an analyst: one deal of Quatorze, which can be won."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.sdk import Client, Game, connect
from cadogan.sdk.errors import Conflict, NoHints, NotFound, Unauthorized
from cadogan.sdk.session import apply_winning_step
from cadogan.server.core.fairness import commit_reveal
from cadogan.wire.analysis import Analysis, AnalysisChanged, Winnability
from cadogan.wire.lent_work import Decided, SearchStep
from cadogan.wire.messages import ServerMessage
from tests.harness.analysts import analyst_at_work
from tests.harness.network_proxy import NetworkProxy
from tests.harness.patience import long
from tests.harness.running_server import RunningServer


@pytest.fixture(autouse=True)
def known_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deal has the same secret, and with the same nonce the same cards."""
    monkeypatch.setattr(commit_reveal, "draw_secret", lambda: bytes(range(commit_reveal.SECRET_BYTES)))


@pytest.fixture
async def analyst(sqlite_server: RunningServer) -> AsyncIterator[None]:
    """An analyst of the running server."""
    async with asyncio.timeout(long()), analyst_at_work(sqlite_server.server):
        yield


async def finished(client: Client, moves: int = 2) -> Game:
    """A game of Quatorze that was given up after some moves."""
    game = await client.deal("quatorze", "mine")
    for _ in range(moves):
        await game.play(game.moves[0])
    await game.resign()
    return game


@pytest.mark.usefixtures("analyst")
async def test_an_analysis_is_followed_until_it_is_done_and_shows_a_way_that_wins(either: Client) -> None:
    game = await finished(either)
    with pytest.raises(NotFound):
        await either.show_way(game.id, 1)
    seen = [analysis async for analysis in either.follow_analysis(game.id)]
    assert [analysis.state for analysis in seen[:-1]].count("done") == 0
    assert seen[-1] == await either.show_analysis(game.id)
    assert (seen[-1].state, seen[-1].verdicts[0]) == ("done", "won")
    assert [analysis async for analysis in either.follow_analysis(game.id)] == [seen[-1]]
    way = await either.show_way(game.id, 1)
    again = await either.game((await either.play_on(game.id, 1)).game.id)
    foretold = again.session
    for step in way.steps:
        foretold = apply_winning_step(foretold, step)
        await again.play(step.move)
        assert again.piles == foretold.piles
    assert (again.status, again.score, again.home) == ("won", foretold.score, foretold.home)


async def test_a_game_is_taken_to_analyse_it_and_given_back(either: Client) -> None:
    await either.claim_name("Ada", "eight red queens")
    game = await finished(either)
    await either.analyse_game(game.id)
    work = (await either.take_work(SOLVER_VERSION)).work
    assert work is not None
    assert (work.game, work.rules, len(work.moves)) == (game.id, "quatorze", 2)
    step = SearchStep(position=1, decided=[Decided(verdict="unknown", nodes=1)])
    assert (await either.submit_work(work.id, 0, [step])).steps == 1
    assert (await either.give_work_up(work.id)).done is False
    assert (await either.show_analysis(game.id)).state == "waiting"


async def test_an_analysis_that_nobody_works_on_waits_and_is_watched(either: Client) -> None:
    game = await finished(either)
    assert (await either.show_analysis(game.id)).state == "none"
    received: asyncio.Queue[object] = asyncio.Queue()
    stop = either.watch_analysis(game.id, received.put_nowait)
    assert (await analysis_of(received)).state == "none"
    asked = await either.analyse_game(game.id)
    assert (asked.state, asked.ahead) == ("waiting", 0)
    assert await analysis_of(received) == asked
    stop()
    either.watch_analysis("no-such-game", received.put_nowait)
    while not isinstance(news := await received.get(), NotFound):
        assert isinstance(news, AnalysisChanged)


async def analysis_of(received: "asyncio.Queue[object]") -> Analysis:
    """The analysis in the next message."""
    message = await received.get()
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


@pytest.mark.usefixtures("analyst")
async def test_the_answer_to_whether_a_game_can_be_won_is_the_verdict(either: Client) -> None:
    game = await either.deal("quatorze", "mine")
    answer = await game.ask_if_winnable()
    assert (answer.version, answer.verdict) == (1, "won")
    assert answer.steps is not None
    assert answer.steps[0].move in [move.text for move in game.moves]
    ranked = await either.enter()
    with pytest.raises(NoHints):
        await ranked.ask_if_winnable()


async def test_a_question_that_waits_for_too_long_is_answered_without_a_verdict(sqlite_server: RunningServer) -> None:
    async with connect(sqlite_server.url, timeout_seconds=1) as client:
        game = await client.deal("quatorze")
        answer = await game.ask_if_winnable()
        assert (answer.version, answer.verdict, answer.ahead) == (1, None, 0)


async def test_a_question_and_an_analysis_survive_a_broken_connection(
    sqlite_server: RunningServer, link: NetworkProxy
) -> None:
    async with asyncio.timeout(long()), connect(link.url) as client:
        over, game = await finished(client), await client.deal("quatorze", "mine")
        following = client.follow_analysis(over.id)
        said: asyncio.Queue[ServerMessage] = asyncio.Queue()
        game.listen(said.put_nowait)
        assert (await anext(following)).state == "waiting"
        asking, watching = asyncio.ensure_future(game.ask_if_winnable()), asyncio.ensure_future(anext(following))
        while not isinstance(await said.get(), Winnability):
            pass
        link.sever()
        async with analyst_at_work(sqlite_server.server):
            assert (await asking).verdict == "won"
            latest = await watching
            async for analysis in following:
                latest = analysis
        assert latest.state == "done"
