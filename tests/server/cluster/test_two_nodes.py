"""Two whole nodes on one PostgreSQL database: what happens at one is seen at the other, whatever becomes of the bus."""

import asyncio
from collections.abc import AsyncIterator, Collection
from dataclasses import replace

import asyncpg
import pytest

from cadogan.server.core.cluster.bus import LocalBus
from cadogan.server.core.cluster.choose_bus import APPLICATION_NAME
from cadogan.server.core.cluster.remote_bus import RemoteBus
from cadogan.server.core.database.connections import database_url
from cadogan.wire.codec import SIGNED_OUT
from tests.harness.patience import soon
from tests.harness.people import JsonMessage, Person, PlayerSocket
from tests.harness.race_actions import (
    game_in_race,
    get_race,
    make_race,
    moves_of_racers,
    post_race,
    resign_in_race,
    wait_for_race,
)
from tests.harness.running_server import TEST_SETTINGS
from tests.harness.two_nodes import TwoNodes, open_two_nodes

DAY = "2026-11-20"


class RoughBus(LocalBus):
    """A bus that keeps every wake-up until it is told what to do with them."""

    def __init__(self) -> None:
        super().__init__()
        self.recorded: list[tuple[str, int, object]] = []

    def publish_wake_up(self, name: str, version: int, topics: Collection[str] = (), *, sender: object) -> None:
        self.recorded.append((name, version, sender))

    def deliver(self, *order: int) -> None:
        """Deliver those of these numbers, in this order."""
        for number in order:
            name, version, sender = self.recorded[number]
            super().publish_wake_up(name, version, sender=sender)


@pytest.fixture
async def two_nodes_with_own_buses(database_url: str) -> AsyncIterator[TwoNodes]:
    """Two nodes on a bus that does as it is told."""
    async with open_two_nodes(replace(TEST_SETTINGS, database_url=database_url), RoughBus()) as one:
        yield one


async def played(socket: PlayerSocket, seen: JsonMessage, moves: int) -> JsonMessage:
    """What is seen after so many moves."""
    for _ in range(moves):
        seen = await socket.play(seen)
    return seen


async def versions(socket: PlayerSocket, until: int) -> list[int]:
    """The versions that are told of, up to the last."""
    told: list[int] = []
    while not told or told[-1] < until:
        told.append((await asyncio.wait_for(socket.receive(), soon()))["version"])
    return told


async def test_a_move_is_seen_by_spectators_at_the_other_node(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.second.guest()
    game = await ann.deal()
    async with ann.connect() as playing, bob.connect() as watching:
        seen = await watching.request("subscribe", game=game)
        assert seen["sight"] == "board"
        await played(playing, await playing.request("subscribe", game=game), 3)
        assert await versions(watching, 4) == [2, 3, 4]


async def test_a_spectator_at_one_node_is_counted_and_named_at_the_other(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.second.guest()
    assert (await bob.post("/account", {"name": "Bob", "password": "a long password"}))[0] == 200
    game = await ann.deal()
    async with ann.connect() as playing:
        await playing.request("subscribe", game=game)
        async with bob.connect() as watching, two_nodes.second.stranger().connect() as nameless:
            await watching.request("subscribe", game=game)
            await nameless.request("subscribe", game=game)
            present: JsonMessage = {"watchers": 0}
            while present["watchers"] < 2:
                present = await asyncio.wait_for(playing.receive("presence"), soon())
            assert present["names"] == ["Bob"]
        while present["watchers"]:
            present = await asyncio.wait_for(playing.receive("presence"), soon())
        assert "names" not in present


async def test_the_progress_of_a_run_is_seen_at_the_other_node(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    async with ann.connect() as playing, two_nodes.second.stranger().connect() as watching:
        assert (await watching.watch_day(DAY))["games"] == []
        game = await ann.enter()
        await playing.play(await playing.request("subscribe", game=game))
        moves = 0
        while moves < 1:
            (run,) = (await asyncio.wait_for(watching.receive("day_progress"), soon()))["games"]
            assert (run["game"], run["player"]["id"]) == (game, ann.id)
            moves = run["moves"]


async def test_a_finish_changes_the_leaderboard_at_the_other_node(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    async with ann.connect() as playing, two_nodes.second.stranger().connect() as watching:
        await watching.request("watch_board", board="all")
        game = await ann.enter()
        seen = await playing.request("subscribe", game=game)
        seen = await playing.play(seen)
        await playing.request("resign", game=game, version=seen["version"])
        changed: JsonMessage = {"entries": []}
        while not changed["entries"]:
            changed = await asyncio.wait_for(watching.receive("board_changed"), soon())
        assert [entry["player"]["id"] for entry in changed["entries"]] == [ann.id]


async def test_a_player_who_joins_a_race_at_one_node_is_seen_at_the_other(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    race = await make_race(ann, start=False)
    async with two_nodes.second.stranger().connect() as watching:
        await watching.send("watch_race", race=race["race"])
        await watching.receive("race")
        await post_race(bob, f"/{race['race']}/join", {"nonce": "words", "token": race["token"]})
        seen = await asyncio.wait_for(watching.receive("race"), soon())
        assert {racer["player"]["id"] for racer in seen["racers"]} == {ann.id, bob.id}


@pytest.mark.parametrize("end", ["resigned", "shown it unbegun"])
async def test_a_player_whose_run_ends_at_one_node_sees_other_boards_at_the_other(
    two_nodes: TwoNodes, end: str
) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    bobs = await bob.enter()
    own = await ann.enter() if end == "resigned" else None
    async with ann.connect() as playing, two_nodes.at_second(ann).connect() as watching:
        assert (await watching.request("subscribe", game=bobs))["sight"] == "meter"
        if own is not None:
            await playing.request("resign", game=own, version=1)
        else:
            await done_with(ann, "/dailies/today/deals/1/spoil")
        assert (await asyncio.wait_for(watching.receive("view"), soon()))["sight"] == "board"


async def test_a_race_played_at_one_node_is_seen_at_the_other_until_its_end(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.second.guest()
    race = await make_race(ann, bob)
    async with (
        two_nodes.second.stranger().connect() as watching,
        ann.connect() as one,
        two_nodes.at_second(bob).connect() as two,
    ):
        await watching.send("watch_race", race=race["race"])
        await watching.receive("race")
        two_nodes.first.clock.at = race["starts_at"]
        race = await get_race(ann, race)
        view = await one.request("subscribe", game=game_in_race(race, ann))
        await one.play(view)
        await wait_for_race(watching, lambda race: moves_of_racers(race) == [1, 0])
        await resign_in_race(one, race, ann)
        await resign_in_race(two, race, bob)
        over = await wait_for_race(watching, lambda race: race["state"] == "over")
        assert over["secret"]


async def test_signing_out_at_one_node_closes_the_sockets_at_the_other(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    async with two_nodes.at_second(ann).connect() as socket, two_nodes.at_second(bob).connect() as other:
        await socket.request("ping")
        await ann.ask("DELETE", "/session")
        await asyncio.wait_for(socket.connection.wait_closed(), soon())
        assert socket.connection.close_code == SIGNED_OUT
        assert (await other.request("ping"))["type"] == "pong"


NO_IDS = (
    r"\u0000",
    r"a\nb",
    r"\ud800",
    r"x\n[\"presence\",\"{game}\",\"[\\\"n\\\",10000,[\\\"Admin\\\"]]\"]",
    r"*",
    r"{game}\n{game} =[",
)
"""What is no id, as it is written in JSON; `{game}` stands for the id of a game that is watched."""


async def test_no_text_of_a_client_is_heard_at_the_other_node_or_keeps_anything_from_it(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    game = await bob.deal()
    async with (
        two_nodes.at_second(ann).connect() as socket,
        two_nodes.at_second(bob).connect() as playing,
        two_nodes.first.stranger().connect() as hostile,
    ):
        await socket.request("ping")
        await playing.request("subscribe", game=game)
        for key, kinds in (("game", ("unsubscribe", "subscribe")), ("race", ("unwatch_race", "watch_race"))):
            for no_id in NO_IDS:
                for kind in kinds:
                    text = no_id.replace("{game}", game)
                    await hostile.connection.send(f'{{"type":"{kind}","id":"1","{key}":"{text}"}}')
                    assert (await hostile.receive())["code"] in ("not_found", "bad_message")
        await ann.ask("DELETE", "/session")
        # Before nodes compare everything, however little they have heard.
        await asyncio.wait_for(socket.connection.wait_closed(), soon() / 3)
        for running_server in (two_nodes.first, two_nodes.second):
            running_server.server.flush()
            assert running_server.server.presence.watchers(game) == 0


async def done_with(person: Person, path: str) -> None:
    """Ask for something that is done."""
    status, answer = await person.post(path)
    assert status == 200, answer


async def test_after_doubled_and_reordered_wake_ups_every_move_is_sent_once_and_in_order(
    two_nodes_with_own_buses: TwoNodes,
) -> None:
    ann, bob = await two_nodes_with_own_buses.first.guest(), await two_nodes_with_own_buses.second.guest()
    game = await ann.deal()
    bus = two_nodes_with_own_buses.second.server.bus
    assert isinstance(bus, RoughBus)
    async with ann.connect() as playing, bob.connect() as watching:
        await watching.request("subscribe", game=game)
        bus.recorded.clear()
        await played(playing, await playing.request("subscribe", game=game), 4)
        bus.deliver(2, 0, 2, 3, 1, 3, 0)
        assert await versions(watching, 5) == [2, 3, 4, 5]


async def test_moves_of_lost_wake_ups_are_sent_when_the_bus_reports_a_gap(
    two_nodes_with_own_buses: TwoNodes,
) -> None:
    ann, bob = await two_nodes_with_own_buses.first.guest(), await two_nodes_with_own_buses.second.guest()
    game, run = await ann.deal(), await ann.enter()
    async with ann.connect() as playing, bob.connect() as watching, bob.connect() as counting:
        await watching.request("subscribe", game=game)
        await counting.watch_day(DAY)
        await played(playing, await playing.request("subscribe", game=game), 3)
        await played(playing, await playing.request("subscribe", game=run), 2)
        two_nodes_with_own_buses.second.server.wake_ups.on_gap(None)
        assert await versions(watching, 4) == [2, 3, 4]
        (meter,) = (await asyncio.wait_for(counting.receive("day_progress"), soon()))["games"]
        assert (meter["game"], meter["moves"]) == (run, 2)


async def test_when_the_database_ends_the_listening_connection_it_is_opened_again_and_nothing_is_missed(
    postgresql_url: str,
) -> None:
    settings = replace(TEST_SETTINGS, database_url=postgresql_url)
    async with open_two_nodes(settings, None) as two_nodes:
        assert isinstance(two_nodes.first.server.bus, RemoteBus)
        ann, bob = await two_nodes.first.guest(), await two_nodes.second.guest()
        game = await ann.deal()
        async with ann.connect() as playing, bob.connect() as watching:
            await watching.request("subscribe", game=game)
            seen = await playing.request("subscribe", game=game)
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
