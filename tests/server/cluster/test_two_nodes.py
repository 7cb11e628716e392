"""Two whole nodes on one PostgreSQL database: what happens at one is seen at the other, whatever becomes of the bus."""

import asyncio
from collections.abc import AsyncIterator, Collection
from dataclasses import replace

import asyncpg
import pytest

from clients.wire.codec import SIGNED_OUT
from server.cluster.bus import LocalBus
from server.cluster.postgresql_bus import APPLICATION_NAME
from server.cluster.remote_bus import RemoteBus
from server.database.connections import database_url
from tests.harness.bus_listeners import PATIENCE
from tests.harness.people import Person, Said, Talk
from tests.harness.race_actions import done, game_of, moves_in, race_of, resign, seen, told_of
from tests.harness.running_server import UNHURRIED
from tests.harness.two_nodes import Town, open_town

DAY = "2026-11-20"


class RoughBus(LocalBus):
    """A bus that keeps every wake-up until it is told what to do with them."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple[str, int, object]] = []

    def publish_wake_up(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        self.kept.append((name, version, sender))

    def deliver(self, *order: int) -> None:
        """Deliver those of these numbers, in this order."""
        for number in order:
            name, version, sender = self.kept[number]
            super().publish_wake_up(name, version, sender=sender)


@pytest.fixture
async def rough_town(database_url: str) -> AsyncIterator[Town]:
    """Two nodes on a bus that does as it is told."""
    async for one in open_town(replace(UNHURRIED, database_url=database_url), RoughBus()):
        yield one


async def played(talk: Talk, seen: Said, moves: int) -> Said:
    """What is seen after so many moves."""
    for _ in range(moves):
        seen = await talk.play(seen)
    return seen


async def versions(talk: Talk, until: int) -> list[int]:
    """The versions that are told of, up to the last."""
    told: list[int] = []
    while not told or told[-1] < until:
        told.append((await asyncio.wait_for(talk.hear(), PATIENCE))["version"])
    return told


async def test_a_move_is_seen_by_those_who_watch_at_the_other_node(town: Town) -> None:
    ann, bob = await town.first.guest(), await town.second.guest()
    game = await ann.deal()
    async with ann.talk() as playing, bob.talk() as watching:
        seen = await watching.ask("subscribe", game=game)
        assert seen["sight"] == "board"
        await played(playing, await playing.ask("subscribe", game=game), 3)
        assert await versions(watching, 4) == [2, 3, 4]


async def test_who_watches_at_one_node_is_counted_and_named_at_the_other(town: Town) -> None:
    ann, bob = await town.first.guest(), await town.second.guest()
    assert (await bob.post("/account", {"name": "Bob", "password": "a long password"}))[0] == 200
    game = await ann.deal()
    async with ann.talk() as playing:
        await playing.ask("subscribe", game=game)
        async with bob.talk() as watching, town.second.stranger().talk() as nameless:
            await watching.ask("subscribe", game=game)
            await nameless.ask("subscribe", game=game)
            present: Said = {"watchers": 0}
            while present["watchers"] < 2:
                present = await asyncio.wait_for(playing.hear("presence"), PATIENCE)
            assert present["names"] == ["Bob"]
        while present["watchers"]:
            present = await asyncio.wait_for(playing.hear("presence"), PATIENCE)
        assert "names" not in present


async def test_how_far_a_run_is_is_seen_at_the_other_node(town: Town) -> None:
    ann = await town.first.guest()
    async with ann.talk() as playing, town.second.stranger().talk() as watching:
        assert (await watching.ask_for_day(DAY))["games"] == []
        game = await ann.enter()
        await playing.play(await playing.ask("subscribe", game=game))
        moves = 0
        while moves < 1:
            (run,) = (await asyncio.wait_for(watching.hear("day_progress"), PATIENCE))["games"]
            assert (run["game"], run["player"]["id"]) == (game, ann.id)
            moves = run["moves"]


async def test_a_finish_moves_the_board_at_the_other_node(town: Town) -> None:
    ann = await town.first.guest()
    async with ann.talk() as playing, town.second.stranger().talk() as watching:
        await watching.ask("watch_board", board="all")
        game = await ann.enter()
        seen = await playing.ask("subscribe", game=game)
        seen = await playing.play(seen)
        await playing.ask("resign", game=game, version=seen["version"])
        changed: Said = {"entries": []}
        while not changed["entries"]:
            changed = await asyncio.wait_for(watching.hear("board_changed"), PATIENCE)
        assert [entry["player"]["id"] for entry in changed["entries"]] == [ann.id]


async def test_who_comes_to_a_race_at_one_node_is_seen_at_the_other(town: Town) -> None:
    ann, bob = await town.first.guest(), await town.first.guest()
    race = await race_of(ann, start=False)
    async with town.second.stranger().talk() as watching:
        await watching.say("watch_race", race=race["race"])
        await watching.hear("race")
        await done(bob, f"/{race['race']}/join", {"nonce": "words", "token": race["token"]})
        seen = await asyncio.wait_for(watching.hear("race"), PATIENCE)
        assert {racer["player"]["id"] for racer in seen["racers"]} == {ann.id, bob.id}


@pytest.mark.parametrize("end", ["resigned", "shown it unbegun"])
async def test_whose_run_ends_at_one_node_sees_others_boards_at_the_other(town: Town, end: str) -> None:
    ann, bob = await town.first.guest(), await town.first.guest()
    bobs = await bob.enter()
    own = await ann.enter() if end == "resigned" else None
    async with ann.talk() as playing, town.at_second(ann).talk() as watching:
        assert (await watching.ask("subscribe", game=bobs))["sight"] == "meter"
        if own is not None:
            await playing.ask("resign", game=own, version=1)
        else:
            await done_with(ann, "/dailies/today/deals/1/spoil")
        assert (await asyncio.wait_for(watching.hear("view"), PATIENCE))["sight"] == "board"


async def test_a_race_goes_on_and_ends_at_one_node_before_the_eyes_of_the_other(town: Town) -> None:
    ann, bob = await town.first.guest(), await town.second.guest()
    race = await race_of(ann, bob)
    async with town.second.stranger().talk() as watching, ann.talk() as one, town.at_second(bob).talk() as two:
        await watching.say("watch_race", race=race["race"])
        await watching.hear("race")
        town.first.clock.at = race["starts_at"]
        race = await seen(ann, race)
        view = await one.ask("subscribe", game=game_of(race, ann))
        await one.play(view)
        await told_of(watching, lambda race: moves_in(race) == [1, 0])
        await resign(one, race, ann)
        await resign(two, race, bob)
        over = await told_of(watching, lambda race: race["state"] == "over")
        assert over["secret"]


async def test_who_signs_out_at_one_node_is_put_out_of_the_others_sockets(town: Town) -> None:
    ann, bob = await town.first.guest(), await town.first.guest()
    async with town.at_second(ann).talk() as talk, town.at_second(bob).talk() as other:
        await talk.ask("ping")
        await ann.ask("DELETE", "/session")
        await asyncio.wait_for(talk.connection.wait_closed(), PATIENCE)
        assert talk.connection.close_code == SIGNED_OUT
        assert (await other.ask("ping"))["type"] == "pong"


async def done_with(person: Person, path: str) -> None:
    """Ask for something that is done."""
    status, answer = await person.post(path)
    assert status == 200, answer


async def test_wake_ups_doubled_and_out_of_order_show_every_move_once_and_in_order(rough_town: Town) -> None:
    ann, bob = await rough_town.first.guest(), await rough_town.second.guest()
    game = await ann.deal()
    bus = rough_town.second.service.bus
    assert isinstance(bus, RoughBus)
    async with ann.talk() as playing, bob.talk() as watching:
        await watching.ask("subscribe", game=game)
        bus.kept.clear()
        await played(playing, await playing.ask("subscribe", game=game), 4)
        bus.deliver(2, 0, 2, 3, 1, 3, 0)
        assert await versions(watching, 5) == [2, 3, 4, 5]


async def test_lost_wake_ups_are_made_up_for_when_the_bus_says_that_it_lost_some(rough_town: Town) -> None:
    ann, bob = await rough_town.first.guest(), await rough_town.second.guest()
    game, run = await ann.deal(), await ann.enter()
    async with ann.talk() as playing, bob.talk() as watching, bob.talk() as counting:
        await watching.ask("subscribe", game=game)
        await counting.ask_for_day(DAY)
        await played(playing, await playing.ask("subscribe", game=game), 3)
        await played(playing, await playing.ask("subscribe", game=run), 2)
        rough_town.second.service.on_gap(None)
        assert await versions(watching, 4) == [2, 3, 4]
        (meter,) = (await asyncio.wait_for(counting.hear("day_progress"), PATIENCE))["games"]
        assert (meter["game"], meter["moves"]) == (run, 2)


async def test_listening_that_was_ended_by_the_database_begins_again_and_nothing_is_missed(postgresql_url: str) -> None:
    settings = replace(UNHURRIED, database_url=postgresql_url)
    async for town in open_town(settings, None):
        assert isinstance(town.first.service.bus, RemoteBus)
        ann, bob = await town.first.guest(), await town.second.guest()
        game = await ann.deal()
        async with ann.talk() as playing, bob.talk() as watching:
            await watching.ask("subscribe", game=game)
            seen = await playing.ask("subscribe", game=game)
            for moves in range(1, 4):
                await end_listening(postgresql_url)
                seen = await playing.play(seen)
                assert await versions(watching, moves + 1) == [moves + 1]


async def end_listening(url: str) -> None:
    """End every connection that listens, of which there may be none at this moment."""
    connection = await asyncpg.connect(database_url(url).set(drivername="postgresql").render_as_string(False))
    try:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = $1",
            APPLICATION_NAME,
        )
    finally:
        await connection.close()
