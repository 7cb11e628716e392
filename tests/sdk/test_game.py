"""Playing and watching through the SDK on a real server, over wires that are cut."""

import asyncio
from dataclasses import replace

import pytest

from clients.sdk import Client, Session, connect
from clients.sdk.errors import (
    BadAddress,
    ClientError,
    IllegalMove,
    NotFound,
    NothingToTakeBack,
    NotYourSeat,
    SpoilerEmbargo,
    StaleVersion,
    Unauthorized,
    Unreachable,
)
from clients.sdk.game import Game
from clients.wire import messages as wire
from clients.wire.messages import ServerMessage
from tests.harness.network_proxy import NetworkProxy
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.server_process import UNREACHABLE_URL

PATIENCE = 60.0
"""Seconds after which what has not come never will."""


async def until_played(game: Game, moves: int) -> Session:
    """The session once so many moves are played."""
    async with asyncio.timeout(PATIENCE):
        async for session in game.changes():
            if session.played >= moves:
                return session
    raise AssertionError(f"the game ended after {game.played} moves")


async def test_a_game_is_played_taken_back_and_given_up(client: Client) -> None:
    game = await client.deal("klondike")
    before = game.session
    await game.play("deal")
    assert (game.played, len(game.piles["waste"])) == (1, 1)
    await game.take_back()
    assert game.piles == before.piles
    await game.resign()
    assert (game.over, game.status, game.moves) == (True, "resigned", ())


async def test_a_session_that_was_ended_elsewhere_is_said_to_be_over_and_not_taken_for_a_stranger(
    sqlite_server: RunningServer, client: Client
) -> None:
    game = await client.deal("klondike")
    changes = aiter(game.changes())
    await game.play("deal")
    await anext(changes)
    async with connect(sqlite_server.url, client.token) as elsewhere:
        await elsewhere.sign_out_everywhere()
    with pytest.raises(Unauthorized, match="has ended"):
        await asyncio.wait_for(anext(changes), PATIENCE)
    with pytest.raises(Unauthorized):
        await game.play("deal")


async def test_a_refusal_is_an_exception_and_the_game_goes_on(client: Client) -> None:
    game = await client.deal("klondike")
    with pytest.raises(IllegalMove, match="waste"):
        await game.play("waste/foundation.0")
    with pytest.raises(NothingToTakeBack):
        await game.take_back()
    await game.play("deal")
    assert game.played == 1


async def test_a_game_played_elsewhere_meanwhile_is_stale_and_then_known_again(
    sqlite_server: RunningServer, client: Client, link: NetworkProxy
) -> None:
    game = await client.deal("klondike")
    async with connect(link.url, client.token) as elsewhere:
        same = await elsewhere.game(game.id)
        link.deaf = True
        await game.play("deal")
        behind = asyncio.create_task(same.play("deal"))
        await until_played(game, 1)
        link.deaf = False
        link.sever()
        with pytest.raises(StaleVersion):
            await behind
        assert (await until_played(same, 1)).piles == game.piles


async def test_a_stranger_watches_and_plays_nothing(sqlite_server: RunningServer, client: Client) -> None:
    game = await client.deal("klondike")
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


async def test_one_game_may_be_followed_twice(client: Client) -> None:
    game = await client.deal("klondike")
    again = await client.game(game.id)
    again.close()
    await game.play("deal")
    assert (game.played, again.played) == (1, 0)


async def test_a_cut_wire_costs_nothing(sqlite_server: RunningServer, link: NetworkProxy) -> None:
    async with connect(link.url) as player, connect(sqlite_server.url, player.token) as watcher:
        game = await player.deal("klondike")
        for _ in range(3):
            await game.play("deal")
            link.sever()
        watched = await watcher.game(game.id)
        assert (watched.played, watched.session.version) == (3, game.session.version)
        assert watched.piles == game.piles
    assert link.connections >= 4


async def test_a_move_whose_answer_was_lost_is_played_once(sqlite_server: RunningServer, link: NetworkProxy) -> None:
    async with connect(link.url) as player, connect(sqlite_server.url, guest=False) as watcher:
        game = await player.deal("klondike")
        watched = await watcher.game(game.id)
        link.deaf = True
        sent = asyncio.create_task(game.play("deal"))
        await until_played(watched, 1)
        assert not sent.done()
        link.deaf = False
        link.sever()
        await sent
        assert (game.played, watched.played) == (1, 1)


async def test_what_was_missed_is_heard_message_by_message(sqlite_server: RunningServer, link: NetworkProxy) -> None:
    async with connect(sqlite_server.url) as player, connect(link.url) as watcher:
        game = await player.deal("klondike")
        watched = await watcher.game(game.id)
        heard: list[ServerMessage] = []
        watched.listen(heard.append)
        link.sever()
        for _ in range(3):
            await game.play("deal")
        await until_played(watched, 3)
        assert [one.version for one in heard if isinstance(one, wire.MovePlayed)] == [2, 3, 4]
        assert not any(isinstance(one, wire.View) for one in heard)


async def test_what_the_server_puts_off_is_done_when_it_may_be(sqlite_url: str) -> None:
    hurried = replace(TEST_SETTINGS, database_url=sqlite_url, rate=50, burst=8)
    async for running_server in open_server(hurried):
        async with connect(running_server.url) as client:
            game = await client.deal("klondike")
            for _ in range(24):
                await game.play("deal")
            assert game.played == 24


async def test_meters_races_and_boards_are_told(sqlite_server: RunningServer, client: Client) -> None:
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


async def test_practice_has_to_wait_for_the_attempt(client: Client) -> None:
    with pytest.raises(SpoilerEmbargo):
        await client.practise()
    await (await client.enter()).resign()
    game = await client.practise()
    assert game.session.game is not None
    assert (game.session.game.mode, game.session.game.ranked) == ("practice", False)


async def test_a_token_brings_the_same_player_back(sqlite_server: RunningServer, client: Client) -> None:
    async with connect(sqlite_server.url, client.token) as again:
        assert await again.who_am_i() == await client.who_am_i()


async def test_a_false_token_is_refused_by_name(sqlite_server: RunningServer) -> None:
    async with connect(sqlite_server.url, "false") as client:
        with pytest.raises(Unauthorized):
            await client.deal("klondike")


async def test_a_game_that_is_none_is_not_found(client: Client) -> None:
    with pytest.raises(NotFound):
        await client.game("no-such-game")


async def test_a_server_that_is_not_there_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        async with connect(UNREACHABLE_URL):
            raise AssertionError("there is a server after all")
    with pytest.raises(BadAddress):
        async with connect("ftp://127.0.0.1"):
            raise AssertionError("there is a server after all")


async def test_a_client_is_closed_at_once_though_the_server_has_fallen_silent(
    sqlite_server: RunningServer, link: NetworkProxy
) -> None:
    async with connect(link.url) as client:
        await client.deal("klondike")
        link.silence()
        async with asyncio.timeout(5):
            await client.close()


async def test_whoever_waits_when_the_client_is_closed_is_told(
    sqlite_server: RunningServer, link: NetworkProxy
) -> None:
    async with connect(link.url) as client:
        game = await client.deal("klondike")
        link.deaf = True
        sent = asyncio.create_task(game.play("deal"))
        await asyncio.sleep(0)
    with pytest.raises(Unreachable):
        await sent


async def test_a_game_prints_as_its_table(client: Client) -> None:
    game = await client.deal("klondike")
    lines = str(game).splitlines()
    assert lines[0] == "Canfield or Klondike: score -52 of 208, 0 home, 0 moves, playing"
    assert lines[2].split() == ["▒24▒", "[", "]", "[", "]", "[", "]", "[", "]", "[", "]"]
    assert max(map(len, lines)) <= 80


async def test_a_listener_that_fails_keeps_nothing_from_the_others(client: Client) -> None:
    failures: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(str(context["exception"])))
    game = await client.deal("klondike")
    heard: list[ServerMessage | ClientError] = []

    def fail(_: ServerMessage | ClientError) -> None:
        raise ValueError("a listener's fault")

    stop = client.line.follow(game.id, fail)
    client.line.follow(game.id, heard.append)
    await game.play("deal")
    await game.play("deal")
    stop()
    assert game.played == 2
    assert len([message for message in heard if isinstance(message, wire.MovePlayed)]) == 2
    assert set(failures) == {"a listener's fault"}
