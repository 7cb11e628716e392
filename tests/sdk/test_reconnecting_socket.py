"""Play and watch through the SDK while the connection to a real server breaks."""

import asyncio
from dataclasses import replace

import pytest

from cadogan.sdk import Client, connect
from cadogan.sdk.errors import (
    ClientError,
    StaleVersion,
    Unauthorized,
    Unreachable,
)
from cadogan.wire import messages as wire
from cadogan.wire.messages import ServerMessage
from tests.harness.network_proxy import NetworkProxy
from tests.harness.patience import soon
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.sdk.waiting import until_played


async def test_a_player_who_was_signed_out_elsewhere_is_told_so(sqlite_server: RunningServer, client: Client) -> None:
    game = await client.deal("klondike")
    changes = aiter(game.changes())
    await game.play("deal")
    await anext(changes)
    async with connect(sqlite_server.url, client.token) as elsewhere:
        await elsewhere.sign_out_everywhere()
    with pytest.raises(Unauthorized, match="has ended"):
        await asyncio.wait_for(anext(changes), soon())
    with pytest.raises(Unauthorized):
        await game.play("deal")


async def test_a_game_that_was_played_elsewhere_is_stale_and_then_up_to_date(
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


async def test_no_move_is_lost_when_the_connection_breaks(sqlite_server: RunningServer, link: NetworkProxy) -> None:
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


async def test_missed_messages_arrive_one_by_one(sqlite_server: RunningServer, link: NetworkProxy) -> None:
    async with connect(sqlite_server.url) as player, connect(link.url) as watcher:
        game = await player.deal("klondike")
        watched = await watcher.game(game.id)
        messages: list[ServerMessage] = []
        watched.listen(messages.append)
        link.sever()
        for _ in range(3):
            await game.play("deal")
        await until_played(watched, 3)
        assert [one.version for one in messages if isinstance(one, wire.MovePlayed)] == [2, 3, 4]
        assert not any(isinstance(one, wire.View) for one in messages)


async def test_rate_limited_moves_are_sent_again_later(sqlite_url: str) -> None:
    hurried = replace(TEST_SETTINGS, database_url=sqlite_url, rate=50, burst=8)
    async with open_server(hurried) as running_server, connect(running_server.url) as client:
        game = await client.deal("klondike")
        for _ in range(24):
            await game.play("deal")
        assert game.played == 24


async def test_a_client_closes_when_the_server_is_silent(sqlite_server: RunningServer, link: NetworkProxy) -> None:
    async with connect(link.url) as client:
        await client.deal("klondike")
        link.silence()
        async with asyncio.timeout(soon()):
            await client.close()


async def test_an_unanswered_request_fails_when_the_client_closes(
    sqlite_server: RunningServer, link: NetworkProxy
) -> None:
    async with connect(link.url) as client:
        game = await client.deal("klondike")
        link.deaf = True
        sent = asyncio.create_task(game.play("deal"))
        await asyncio.sleep(0)
    with pytest.raises(Unreachable):
        await sent


async def test_an_exception_in_a_listener_does_not_stop_the_others(client: Client) -> None:
    failures: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(str(context["exception"])))
    game = await client.deal("klondike")
    messages: list[ServerMessage | ClientError] = []

    def fail(_: ServerMessage | ClientError) -> None:
        raise ValueError("a listener's fault")

    stop = client.socket.subscribe(game.id, fail)
    client.socket.subscribe(game.id, messages.append)
    await game.play("deal")
    await game.play("deal")
    stop()
    assert game.played == 2
    assert len([message for message in messages if isinstance(message, wire.MovePlayed)]) == 2
    assert set(failures) == {"a listener's fault"}


async def test_a_post_whose_answer_was_lost_is_carried_out_once(
    sqlite_server: RunningServer, link: NetworkProxy
) -> None:
    async with connect(link.url) as player, connect(sqlite_server.url, player.token) as same_player:
        link.deaf = True
        making = asyncio.create_task(player.make_group("The club"))
        while not (made := (await same_player.list_groups()).groups):
            pass
        assert not making.done()
        link.deaf = False
        link.sever()
        assert (await making).id == made[0].id
        assert len((await same_player.list_groups()).groups) == 1


async def test_a_claim_of_a_name_whose_answer_was_lost_ends_signed_in(
    sqlite_server: RunningServer, link: NetworkProxy
) -> None:
    async with connect(link.url) as player:
        me, guests = (await player.who_am_i()).player, player.token or ""
        assert me is not None
        link.deaf = True
        claiming = asyncio.create_task(player.claim_name("Ada", "eight red queens"))
        while await sqlite_server.server.accounts.authenticate(guests):
            pass
        link.deaf = False
        link.sever()
        assert (await claiming).player.id == me.id
        assert (await player.who_am_i()).player == (await claiming).player
        player.http.token = "mistyped"
        with pytest.raises(Unauthorized):
            await player.claim_name("Ada", "another password")
