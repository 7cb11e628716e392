"""Play and watch games through the SDK on a real server."""

import asyncio

import pytest

from cadogan.sdk import Client, connect
from cadogan.sdk.errors import (
    IllegalMove,
    NoHints,
    NothingToTakeBack,
    NotYourSeat,
    Unauthorized,
)
from cadogan.wire.messages import MovePlayed, ServerMessage
from tests.harness.running_server import RunningServer
from tests.sdk.waiting import until_played


async def test_a_game_is_played_taken_back_and_resigned(either: Client) -> None:
    game = await either.deal("klondike")
    before = game.session
    await game.play("deal")
    assert (game.played, len(game.piles["waste"])) == (1, 1)
    await game.take_back()
    assert game.piles == before.piles
    await game.resign()
    assert (game.over, game.status, game.moves) == (True, "resigned", ())


async def test_a_hint_is_a_legal_move_and_a_ranked_game_has_none(either: Client) -> None:
    game = await either.deal("klondike")
    hint = await game.hint()
    assert hint in [move.text for move in game.moves]
    ranked = await either.enter()
    with pytest.raises(NoHints, match="ranked"):
        await ranked.hint()


async def test_a_game_tells_its_listeners_and_its_iterators_until_it_is_closed(either: Client) -> None:
    game = await either.deal("klondike")
    await game.ready()
    assert game.connected
    messages: asyncio.Queue[ServerMessage] = asyncio.Queue()
    stop = game.listen(messages.put_nowait)
    changes = aiter(game.changes())
    assert (await anext(changes)).played == 0
    assert await game.play("deal") is game
    assert isinstance(await messages.get(), MovePlayed)
    assert (await anext(changes)).played == 1
    stop()
    await game.take_back()
    assert messages.empty()
    game.close()
    assert [session async for session in changes][-1] == game.session
    assert (game.score, game.home, game.status, game.over) == (-52, 0, "playing", False)


async def test_a_refusal_is_an_exception_and_the_game_goes_on(either: Client) -> None:
    game = await either.deal("klondike")
    with pytest.raises(IllegalMove, match="waste"):
        await game.play("waste/foundation.0")
    with pytest.raises(NothingToTakeBack):
        await game.take_back()
    await game.play("deal")
    assert game.played == 1


async def test_another_player_watches_but_cannot_play(sqlite_server: RunningServer, either: Client) -> None:
    game = await either.deal("klondike")
    async with connect(sqlite_server.url) as other, connect(sqlite_server.url, guest=False) as nobody:
        watched = await other.game(game.id)
        seen = await nobody.game(game.id)
        await game.play("deal")
        assert (await until_played(watched, 1)).piles == game.piles == (await until_played(seen, 1)).piles
        assert watched.moves == ()
        with pytest.raises(NotYourSeat):
            await watched.play("deal")
        with pytest.raises(Unauthorized):
            await seen.play("deal")


async def test_a_game_can_be_followed_twice(either: Client) -> None:
    game = await either.deal("klondike")
    again = await either.game(game.id)
    again.close()
    await game.play("deal")
    assert (game.played, again.played) == (1, 0)


async def test_a_game_prints_as_text(either: Client) -> None:
    game = await either.deal("klondike")
    lines = str(game).splitlines()
    assert lines[0] == "Canfield or Klondike: score -52 of 208, 0 home, 0 moves, playing"
    assert lines[2].split() == ["▒24▒", "[", "]", "[", "]", "[", "]", "[", "]", "[", "]"]
    assert max(map(len, lines)) <= 80


async def test_a_deal_is_played_again_and_has_a_board(either: Client) -> None:
    game = await either.deal("klondike")
    assert game.session.finish is None
    assert await game.finish() is game
    assert (game.played, game.over) == (0, False)
    await game.resign()
    assert game.session.game is not None
    deal = game.session.game.deal
    again = await either.game((await either.play_deal(deal)).game.id)
    await again.ready()
    assert (again.id != game.id, again.piles) == (True, game.piles)
    await again.play("deal")
    await again.resign()
    shown = await either.show_deal(deal)
    assert (shown.rules, shown.players, [run.game for run in shown.runs]) == ("klondike", 1, [game.id])
