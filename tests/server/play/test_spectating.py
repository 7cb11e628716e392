"""Following a game: views, what was missed, presence, and what the others are told."""

import asyncio

import pytest

from cadogan.wire.codec import MAX_CLIENT_FRAME_BYTES
from tests.harness.long_games import lengthen
from tests.harness.running_server import RunningServer


async def test_a_spectator_gets_the_messages_of_the_player_without_the_legal_moves(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as playing, bob.connect() as watching:
        seen = await watching.request("subscribe", game=game)
        await playing.play(await playing.request("subscribe", game=game))
        received = await watching.receive()
    assert (seen["sight"], received["type"], received["version"]) == ("board", "move_played", 2)
    assert not {"legal", "can_take_back", "command"} & {*seen, *received}


async def test_somebody_who_is_not_signed_in_may_watch(sqlite_server: RunningServer) -> None:
    game = await (await sqlite_server.guest()).deal()
    async with sqlite_server.stranger().connect() as socket:
        assert (await socket.request("subscribe", game=game))["sight"] == "board"


async def test_a_returning_client_gets_the_missed_messages_and_none_twice(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        received = [seen]
        for _ in range(3):
            received.append(await socket.play({**received[-1], "game": game}))
    async with ann.connect() as socket:
        asked = await socket.send("subscribe", game=game, since=2)
        missed = [await socket.receive(), await socket.receive()]
        assert missed == received[2:]
        assert await socket.receive() == {"type": "done", "id": asked}
        up_to_date = await socket.request("subscribe", game=game, since=4)
        assert up_to_date["type"] == "done"


async def test_a_client_that_missed_or_claims_too_much_gets_a_fresh_view(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    async with ann.connect() as socket:
        for since in (0, 2, 99):
            assert (await socket.request("subscribe", game=game, since=since))["type"] == "view"


async def test_an_unsubscribed_client_gets_no_more_messages(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as playing, bob.connect() as watching:
        seen = await watching.request("subscribe", game=game)
        assert (await watching.request("unsubscribe", game=game))["type"] == "done"
        await playing.request("play", game=game, version=seen["version"], move="deal")
        assert (await watching.request("ping"))["type"] == "pong"


async def test_presence_of_several_newcomers_is_sent_in_one_message(
    manual_broadcasts: None, sqlite_server: RunningServer
) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as playing, bob.connect() as one, bob.connect() as two:
        await playing.request("subscribe", game=game)
        assert (await one.request("subscribe", game=game))["watchers"] == 1
        assert (await two.request("subscribe", game=game))["watchers"] == 2
        sqlite_server.server.flush()
        assert (await playing.receive("presence"))["watchers"] == 2
        sqlite_server.server.flush()
        await one.request("unsubscribe", game=game)
        sqlite_server.server.flush()
        assert (await playing.receive("presence"))["watchers"] == 1


async def test_spectators_with_a_claimed_name_are_named(manual_broadcasts: None, sqlite_server: RunningServer) -> None:
    ann, bob, cleo = await sqlite_server.guest(), await sqlite_server.guest(), await sqlite_server.guest()
    status, _ = await bob.post("/account", {"name": "Bob", "password": "a long password"})
    assert status == 200
    game = await ann.deal()
    async with (
        ann.connect() as playing,
        bob.connect() as named,
        bob.connect() as again,
        cleo.connect() as nameless,
    ):
        await playing.request("subscribe", game=game)
        assert (await named.request("subscribe", game=game))["names"] == ["Bob"]
        await again.request("subscribe", game=game)
        await nameless.request("subscribe", game=game)
        sqlite_server.server.flush()
        present = await playing.receive("presence")
        assert (present["watchers"], present["names"]) == (3, ["Bob"])
        await named.request("unsubscribe", game=game)
        await again.request("unsubscribe", game=game)
        sqlite_server.server.flush()
        assert "names" not in await playing.receive("presence")


async def test_a_closed_socket_is_no_longer_counted_as_a_watcher(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    game = await ann.deal()
    async with ann.connect() as playing:
        await playing.request("subscribe", game=game)
        async with bob.connect() as watching:
            await watching.request("subscribe", game=game)
        # The server closes after the client; its next look finds nobody.
        while sqlite_server.server.presence.watchers(game):
            await playing.request("ping")
        assert (await playing.request("play", game=game, version=1, move="deal"))["version"] == 2


async def test_of_long_games_only_those_used_last_and_those_watched_stay_in_memory(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.core.games.game_cache.LONG_GAME_EVENTS", 5)
    monkeypatch.setattr("cadogan.server.core.games.game_cache.MAX_LONG_GAMES_EVENTS", 18)
    ann, cache = await sqlite_server.guest(), sqlite_server.server.cache
    watched, first, second, third = long = [await ann.deal() for _ in range(4)]
    short = await ann.deal()
    for game in long:
        await lengthen(sqlite_server.server, game, 6)
    async with ann.connect() as socket:
        await socket.request("subscribe", game=watched)
        for game in (first, second, third):
            sqlite_server.clock.at += 1
            assert (await ann.get(f"/games/{game}"))[1]["version"] == 6
        in_memory = [cache.cached(game) is not None for game in (watched, first, second, third, short)]
        assert in_memory == [True, False, True, True, True]
        assert (await socket.request("resign", game=first, version=6))["result"] == "resigned"


async def test_a_message_that_cannot_be_read_is_refused_with_its_id_if_it_has_one(sqlite_server: RunningServer) -> None:
    async with sqlite_server.stranger().connect() as socket:
        for text, id in (("no json", None), ('{"type":"dance","id":"7"}', "7"), ('{"type":"ping","id":7}', None)):
            await socket.connection.send(text)
            answer = await socket.receive()
            assert (answer["code"], answer.get("id")) == ("bad_message", id)
        await socket.connection.send(b"bytes")
        assert (await socket.receive())["code"] == "bad_message"
        assert (await socket.request("ping"))["type"] == "pong"


async def test_a_frame_longer_than_allowed_closes_the_socket(sqlite_server: RunningServer) -> None:
    async with sqlite_server.stranger().connect() as socket:
        await socket.connection.send("x" * MAX_CLIENT_FRAME_BYTES)
        assert (await socket.receive())["code"] == "bad_message"
        await socket.connection.send("x" * (MAX_CLIENT_FRAME_BYTES + 1))
        await socket.connection.wait_closed()
        assert socket.connection.close_code == 1009


async def test_live_games_are_listed_by_how_far_they_are(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    casual, ranked = await ann.deal(), await ann.enter()
    _, listed = await ann.get("/games/live")
    assert {game["game"] for game in listed["games"]} == {casual, ranked}
    assert not any({"piles", "legal"} & set(game) for game in listed["games"])
    async with ann.connect() as socket:
        await socket.request("resign", game=casual, version=1)
    _, listed = await ann.get("/games/live")
    assert [game["game"] for game in listed["games"]] == [ranked]


async def test_a_hundred_spectators_get_all_messages_in_order(sqlite_server: RunningServer) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal("olga")
    stranger = sqlite_server.stranger()

    async def watch() -> list[int]:
        async with stranger.connect() as socket:
            await socket.request("subscribe", game=game)
            ready.release()
            return [(await socket.receive())["version"] for _ in range(5)]

    ready = asyncio.Semaphore(0)
    watching = [asyncio.create_task(watch()) for _ in range(100)]
    for _ in watching:
        await ready.acquire()
    async with ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(5):
            seen = {**seen, **await socket.play({**seen, "game": game})}
    assert await asyncio.gather(*watching) == [[2, 3, 4, 5, 6]] * 100
