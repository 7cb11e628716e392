"""Two at once, at one node and at two, on every database: the log's unique versions decide, and everybody agrees."""

import asyncio
from collections import Counter

import pytest

from cadogan.server.core.eventlog.streams import game_stream, race_stream
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.codec import encode
from tests.harness.race_actions import (
    game_in_race,
    get_race,
    let_race_start,
    make_race,
    moves_of_racers,
    post_race,
    race_in_log,
    resign_in_race,
    wait_for_race,
)
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

pytestmark = [pytest.mark.slow, pytest.mark.both_databases]


async def types(running_server: RunningServer, stream: str) -> Counter[str]:
    """How many events of which kind a stream has."""
    return Counter(event.type for event in await running_server.server.store.read(stream))


async def test_two_players_take_the_last_place_at_once_and_one_gets_it(two_nodes: TwoNodes) -> None:
    ann, bob, cat = [await two_nodes.first.guest() for _ in range(3)]
    race = await make_race(ann, size=2, start=False)
    body = {"nonce": "words", "token": race["token"]}
    path = f"/races/{race['race']}/join"
    answers = await asyncio.gather(bob.post(path, body), two_nodes.at_second(cat).post(path, body))
    assert sorted(status for status, _ in answers) == [200, 409]
    (winner,) = [one for one, (status, _) in zip((bob, cat), answers, strict=True) if status == 200]
    players = [one["player"]["id"] for one in (await get_race(ann, race))["racers"]]
    assert players == [ann.id, winner.id]
    assert (await types(two_nodes.first, race_stream(race["race"])))["player_joined"] == 2


async def test_two_nodes_deal_every_game_once_and_as_of_the_start(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    race = await make_race(ann, bob)
    two_nodes.cut()
    two_nodes.first.clock.at = race["starts_at"] + 1234
    first, second = await asyncio.gather(get_race(ann, race), get_race(two_nodes.at_second(bob), race))
    assert first == second
    for person in (ann, bob):
        (dealt,) = await two_nodes.first.server.store.read(game_stream(game_in_race(first, person)))
        assert (dealt.type, dealt.recorded_at) == ("game_dealt", race["starts_at"])


async def test_when_the_last_two_finish_at_once_the_race_ends_once(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    running = await let_race_start(two_nodes.first, ann, await make_race(ann, bob))
    async with ann.connect() as one, two_nodes.at_second(bob).connect() as two:
        await asyncio.gather(resign_in_race(one, running, ann), resign_in_race(two, running, bob))
    first, second = await asyncio.gather(get_race(ann, running), get_race(two_nodes.at_second(bob), running))
    assert first == second
    assert first["state"] == "over"
    assert (await types(two_nodes.first, race_stream(running["race"])))["match_finished"] == 1


async def test_two_nodes_end_a_race_whose_time_is_up_once(two_nodes: TwoNodes) -> None:
    ann, bob, cat = [await two_nodes.first.guest() for _ in range(3)]
    running = await let_race_start(two_nodes.first, ann, await make_race(ann, bob, cat))
    async with cat.connect() as socket:
        await resign_in_race(socket, running, cat)
    two_nodes.first.clock.at = running["ends_at"]
    first, second = await asyncio.gather(get_race(ann, running), get_race(two_nodes.at_second(bob), running))
    assert first == second
    assert (await types(two_nodes.first, race_stream(running["race"])))["match_finished"] == 1
    for person in (ann, bob, cat):
        events = await types(two_nodes.first, game_stream(game_in_race(first, person)))
        assert (events["game_dealt"], events["game_finished"], events["deal_revealed"]) == (1, 1, 0)


async def test_a_move_at_the_moment_of_the_end_is_written_before_it_or_not_at_all(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    running = await let_race_start(two_nodes.first, ann, await make_race(ann, bob))
    two_nodes.first.clock.at = running["ends_at"] - 1
    game = game_in_race(running, ann)
    async with ann.connect() as socket:
        view = await socket.request("subscribe", game=game)
        asked = socket.send("play", game=game, version=1, move=view["legal"][0])
        await asyncio.gather(asked, two_nodes.second.server.commands.end_on_time(game, running["ends_at"]))
        answer = await socket.receive()
    two_nodes.first.clock.at = running["ends_at"]
    over = await get_race(ann, running)
    kinds = [event.type for event in await two_nodes.first.server.store.read(game_stream(game))]
    moved = ["move_played"] if answer["type"] == "move_played" else []
    assert kinds == ["game_dealt", *moved, "game_finished"]
    verdict = game_audit.verify(encode((await ann.get(f"/games/{game}/record"))[1]))
    assert (over["state"], verdict.consistent) == ("over", True), verdict.reason


async def test_a_lost_wake_up_delays_no_end(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    running = await let_race_start(two_nodes.first, ann, await make_race(ann, bob))
    await get_race(two_nodes.at_second(bob), running)
    two_nodes.cut()
    async with ann.connect() as one, two_nodes.at_second(bob).connect() as two:
        await resign_in_race(one, running, ann)
        await resign_in_race(two, running, bob)
    assert (await get_race(ann, running))["state"] == "over"
    assert (await get_race(two_nodes.at_second(bob), running))["state"] == "over"


async def test_a_spectator_of_a_race_at_another_node_is_updated(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    race = await make_race(ann, start=False)
    async with two_nodes.second.stranger().connect() as watching:
        await watching.send("watch_race", race=race["race"])
        assert len((await watching.receive("race"))["racers"]) == 1
        await post_race(bob, f"/{race['race']}/join", {"nonce": "words", "token": race["token"]})
        await wait_for_race(watching, lambda race: len(race["racers"]) == 2)
        race = await post_race(ann, f"/{race['race']}/start")
        await wait_for_race(watching, lambda race: race["state"] == "countdown")
        running = await let_race_start(two_nodes.first, ann, race)
        await get_race(two_nodes.at_second(ann), running)
        await wait_for_race(watching, lambda race: moves_of_racers(race) == [0, 0])
        async with ann.connect() as playing:
            await playing.play(await playing.request("subscribe", game=game_in_race(running, ann)))
            await wait_for_race(watching, lambda race: moves_of_racers(race) == [1, 0])


async def test_two_who_ask_for_a_rematch_at_once_get_the_same_one(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    race = await make_race(ann, bob, seconds=60)
    two_nodes.first.clock.at = race["ends_at"]
    await get_race(ann, race)
    path = f"/{race['race']}/rematch"
    body = {"nonce": "words"}
    again, same = await asyncio.gather(post_race(ann, path, body), post_race(two_nodes.at_second(bob), path, body))
    assert again["race"] == same["race"]
    assert again["commitment"] == same["commitment"]
    found = await get_race(ann, again)
    assert {one["player"]["id"] for one in found["racers"]} == {ann.id, bob.id}
    assert (await get_race(bob, race))["rematch"] == again["race"]


async def test_two_who_ask_the_same_node_for_a_rematch_at_once_get_the_same_one(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    race = await make_race(ann, bob, seconds=60)
    running_server.clock.at = race["ends_at"]
    again = await asyncio.gather(
        *(
            running_server.server.race_commands.rematch(race["race"], player.id, "words")
            for player in (ann, bob, ann, bob)
        )
    )
    assert len({match.id for match in again}) == 1
    assert set((await race_in_log(running_server, await get_race(ann, {"race": again[0].id}))).players) == {
        ann.id,
        bob.id,
    }


async def test_the_index_of_races_follows_from_the_log_alone(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    await make_race(ann, bob)
    waiting = await make_race(ann, open=True, start=False)
    gone = await make_race(bob, open=True, start=False)
    await post_race(bob, f"/{gone['race']}/leave")
    index = running_server.server.index
    before = await index.open_races(0, 50)
    assert before == [waiting["race"]]
    await rebuild(running_server.server.database, known_rules())
    assert await index.open_races(0, 50) == before
