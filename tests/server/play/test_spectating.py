"""Following a game: views, what was missed, presence, and what the others are told."""

import asyncio

from clients.wire.codec import LARGEST_FRAME
from server.games.game_cache import IDLE
from tests.harness.running_server import House


async def test_a_spectator_is_told_what_the_player_is_but_for_the_hand(house: House) -> None:
    ann, bob = await house.guest(), await house.guest()
    game = await ann.deal()
    async with ann.talk() as playing, bob.talk() as watching:
        seen = await watching.ask("subscribe", game=game)
        await playing.play(await playing.ask("subscribe", game=game))
        told = await watching.hear()
    assert (seen["sight"], told["type"], told["version"]) == ("board", "move_played", 2)
    assert not {"legal", "can_take_back", "command"} & {*seen, *told}


async def test_somebody_who_is_not_signed_in_may_watch(small_house: House) -> None:
    game = await (await small_house.guest()).deal()
    async with small_house.stranger().talk() as talk:
        assert (await talk.ask("subscribe", game=game))["sight"] == "board"


async def test_who_comes_back_is_told_what_was_missed_and_nothing_twice(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        told = [seen]
        for _ in range(3):
            told.append(await talk.play({**told[-1], "game": game}))
    async with ann.talk() as talk:
        asked = await talk.say("subscribe", game=game, since=2)
        missed = [await talk.hear(), await talk.hear()]
        assert missed == told[2:]
        assert await talk.hear() == {"type": "done", "id": asked}
        up_to_date = await talk.ask("subscribe", game=game, since=4)
        assert up_to_date["type"] == "done"


async def test_who_missed_too_much_or_claims_too_much_gets_a_fresh_view(house: House) -> None:
    ann = await house.guest()
    game = await ann.deal()
    async with ann.talk() as talk:
        for since in (0, 2, 99):
            assert (await talk.ask("subscribe", game=game, since=since))["type"] == "view"


async def test_who_unsubscribes_is_told_no_more(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    game = await ann.deal()
    async with ann.talk() as playing, bob.talk() as watching:
        seen = await watching.ask("subscribe", game=game)
        assert (await watching.ask("unsubscribe", game=game))["type"] == "done"
        await playing.ask("play", game=game, version=seen["version"], move="deal")
        assert (await watching.ask("ping"))["type"] == "pong"


async def test_presence_is_told_in_one_message_for_all_that_came(told_by_hand: None, small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    game = await ann.deal()
    async with ann.talk() as playing, bob.talk() as one, bob.talk() as two:
        await playing.ask("subscribe", game=game)
        assert (await one.ask("subscribe", game=game))["watchers"] == 1
        assert (await two.ask("subscribe", game=game))["watchers"] == 2
        small_house.service.watching._hub.tell()
        assert (await playing.hear("presence"))["watchers"] == 2
        small_house.service.watching._hub.tell()
        await one.ask("unsubscribe", game=game)
        small_house.service.watching._hub.tell()
        assert (await playing.hear("presence"))["watchers"] == 1


async def test_those_who_watch_are_named_if_they_have_claimed_a_name(told_by_hand: None, small_house: House) -> None:
    ann, bob, cleo = await small_house.guest(), await small_house.guest(), await small_house.guest()
    status, _ = await bob.post("/account", {"name": "Bob", "password": "a long password"})
    assert status == 200
    game = await ann.deal()
    async with ann.talk() as playing, bob.talk() as named, bob.talk() as again, cleo.talk() as nameless:
        await playing.ask("subscribe", game=game)
        assert (await named.ask("subscribe", game=game))["names"] == ["Bob"]
        await again.ask("subscribe", game=game)
        await nameless.ask("subscribe", game=game)
        small_house.service.watching._hub.tell()
        present = await playing.hear("presence")
        assert (present["watchers"], present["names"]) == (3, ["Bob"])
        await named.ask("unsubscribe", game=game)
        await again.ask("unsubscribe", game=game)
        small_house.service.watching._hub.tell()
        assert "names" not in await playing.hear("presence")


async def test_a_socket_that_is_gone_is_watched_for_no_more(small_house: House) -> None:
    ann, bob = await small_house.guest(), await small_house.guest()
    game = await ann.deal()
    async with ann.talk() as playing:
        await playing.ask("subscribe", game=game)
        async with bob.talk() as watching:
            await watching.ask("subscribe", game=game)
        # The server closes after the client; its next look finds nobody.
        while small_house.service.watching._hub.watchers(game):
            await playing.ask("ping")
        assert (await playing.ask("play", game=game, version=1, move="deal"))["version"] == 2


async def test_what_nobody_uses_or_follows_is_forgotten_and_loaded_again(small_house: House) -> None:
    ann = await small_house.guest()
    followed, idle = await ann.deal(), await ann.deal()
    sittings = small_house.service.sittings
    async with ann.talk() as talk:
        await talk.ask("subscribe", game=followed)
        small_house.clock.at += IDLE
        await ann.deal()
        assert sittings.here(followed) is not None
        assert sittings.here(idle) is None
        assert (await talk.ask("play", game=idle, version=1, move="deal"))["version"] == 2


async def test_a_message_that_cannot_be_read_is_refused_with_its_id_if_it_has_one(small_house: House) -> None:
    async with small_house.stranger().talk() as talk:
        for text, id in (("no json", None), ('{"type":"dance","id":"7"}', "7"), ('{"type":"ping","id":7}', None)):
            await talk.connection.send(text)
            answer = await talk.hear()
            assert (answer["code"], answer.get("id")) == ("bad_message", id)
        await talk.connection.send(b"bytes")
        assert (await talk.hear())["code"] == "bad_message"
        assert (await talk.ask("ping"))["type"] == "pong"


async def test_a_frame_longer_than_allowed_ends_the_conversation(small_house: House) -> None:
    async with small_house.stranger().talk() as talk:
        await talk.connection.send("x" * LARGEST_FRAME)
        assert (await talk.hear())["code"] == "bad_message"
        await talk.connection.send("x" * (LARGEST_FRAME + 1))
        await talk.connection.wait_closed()
        assert talk.connection.close_code == 1009


async def test_live_games_are_listed_by_how_far_they_are(small_house: House) -> None:
    ann = await small_house.guest()
    casual, ranked = await ann.deal(), await ann.enter()
    _, listed = await ann.get("/games/live")
    assert {game["game"] for game in listed["games"]} == {casual, ranked}
    assert not any({"piles", "legal"} & set(game) for game in listed["games"])
    async with ann.talk() as talk:
        await talk.ask("resign", game=casual, version=1)
    _, listed = await ann.get("/games/live")
    assert [game["game"] for game in listed["games"]] == [ranked]


async def test_a_hundred_watchers_are_all_told_in_order(small_house: House) -> None:
    ann = await small_house.guest()
    game = await ann.deal("olga")
    stranger = small_house.stranger()

    async def watch() -> list[int]:
        async with stranger.talk() as talk:
            await talk.ask("subscribe", game=game)
            ready.release()
            return [(await talk.hear())["version"] for _ in range(5)]

    ready = asyncio.Semaphore(0)
    watching = [asyncio.create_task(watch()) for _ in range(100)]
    for _ in watching:
        await ready.acquire()
    async with ann.talk() as talk:
        seen = await talk.ask("subscribe", game=game)
        for _ in range(5):
            seen = {**seen, **await talk.play({**seen, "game": game})}
    assert await asyncio.gather(*watching) == [[2, 3, 4, 5, 6]] * 100
