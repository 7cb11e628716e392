"""An event that cannot be read for a moment: nobody is shown a game without it, and nothing is written on top of it."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog import background_tasks
from cadogan.server.core.eventlog.event_store import StreamIncomplete
from cadogan.server.core.eventlog.streams import game_stream, race_stream
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.operations.backup import write_backup
from cadogan.server.operations.merkle_roots import Root, root_of
from cadogan.server.subjects.audit import game_audit
from tests.harness.daily_actions import DAY, daily_deals
from tests.harness.invisible_events import invisible_event
from tests.harness.people import JsonMessage, PlayerSocket
from tests.harness.race_actions import make_race, post_race
from tests.harness.sample_events import append
from tests.harness.two_nodes import TwoNodes

pytestmark = pytest.mark.slow

_numbers = count()


def database_of(nodes: TwoNodes) -> Database:
    return nodes.first.server.database


async def refused(socket: PlayerSocket, type: str, **keys: Any) -> tuple[str, bool]:
    """The code of a refusal, and whether it says when to ask again."""
    answer = await socket.request(type, **keys)
    return str(answer.get("code", answer["type"])), "retry_after" in answer


async def played(socket: PlayerSocket, game: str, moves: int) -> JsonMessage:
    """Subscribe and play the first legal move so many times; what was received last."""
    seen = await socket.request("subscribe", game=game)
    for _ in range(moves):
        answer = await socket.play(seen, id=f"move-{next(_numbers)}")
        while answer["version"] <= seen["version"]:
            answer = await socket.receive()  # this was a move at the other node
        seen = answer
    return seen


async def test_a_game_with_a_hole_is_unavailable_and_goes_on_as_it_was_when_the_hole_has_gone(
    two_nodes: TwoNodes,
) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.deal()
    there = two_nodes.at_second(ann)
    async with ann.connect() as one, there.connect() as two:
        seen = await played(one, game, 4)
        two_nodes.cut()
        command = {"id": "fifth", "game": game, "version": 5, "move": seen["legal"][0]}
        for version in (1, 2, 4):
            async with invisible_event(database_of(two_nodes), game_stream(game), version):
                assert await refused(two, "subscribe", game=game) == ("unavailable", True)
                assert await refused(two, "play", **command) == ("unavailable", True)
                for path in (f"/games/{game}", f"/games/{game}/replay", f"/games/{game}/record"):
                    status, answer = await there.get(path)
                    assert (status, answer["code"]) == (503, "unavailable"), path
        assert (await two.request("play", **command))["version"] == 6
        await two.request("resign", game=game, version=6)
    _, record = await there.get(f"/games/{game}/record")
    verdict = game_audit.verify(json.encode(record))
    assert verdict.consistent, verdict.reason


async def test_a_copy_in_memory_does_not_go_on_over_a_hole(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.deal()
    async with ann.connect() as one, two_nodes.at_second(ann).connect() as two:
        await played(one, game, 1)
        behind = await two.request("subscribe", game=game)
        two_nodes.cut()
        seen = await played(one, game, 2)
        assert (behind["version"], seen["version"]) == (2, 4)
        async with invisible_event(database_of(two_nodes), game_stream(game), 3):
            for version in (2, 4):  # what this node has seen, and what the player has seen elsewhere
                keys = {"game": game, "version": version, "move": behind["legal"][0]}
                assert await refused(two, "play", **keys) == ("unavailable", True)
        await two.send("play", id="next", game=game, version=4, move=seen["legal"][0])
        assert [(await two.receive())["version"] for _ in range(3)] == [3, 4, 5]


async def test_a_move_that_another_node_cannot_read_yet_is_shown_there_when_it_can(
    two_nodes: TwoNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background_tasks, "RETRY_SECONDS", 0.01)
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    game = await ann.deal()
    race = await make_race(ann, start=False)
    async with ann.connect() as one, two_nodes.at_second(ann).connect() as two:
        seen = await one.request("subscribe", game=game)
        await two.request("subscribe", game=game)
        await two.send("watch_race", race=race["race"])
        await two.receive("race")
        async with invisible_event(database_of(two_nodes), game_stream(game), 2):
            await one.play(seen)
            await two.request("ping")
            assert two_nodes.second.server.cache.background.busy
        assert (await two.receive())["version"] == 2
        version = race["version"] + 1
        async with invisible_event(database_of(two_nodes), race_stream(race["race"]), version):
            await post_race(bob, f"/{race['race']}/join", {"token": race["token"], "nonce": "bob's words"})
            await two.request("ping")
        assert (await two.receive("race"))["version"] == version


async def test_a_version_that_is_taken_by_an_event_nobody_can_read_is_no_second_attempt(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.enter()
    async with ann.connect() as one, two_nodes.at_second(ann).connect() as two:
        seen = await two.request("subscribe", game=game)
        two_nodes.cut()
        first = await played(one, game, 1)
        async with invisible_event(database_of(two_nodes), game_stream(game), 2):
            for type, keys in (("play", {"move": seen["legal"][0]}), ("resign", {})):
                assert await refused(two, type, game=game, version=1, **keys) == ("unavailable", True)
        await two.send("play", id="next", game=game, version=2, move=first["legal"][0])
        assert [(await two.receive())["version"] for _ in range(2)] == [2, 3]


async def test_an_attempt_whose_beginning_cannot_be_read_is_neither_begun_again_nor_spoiled(
    two_nodes: TwoNodes,
) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.enter()
    there = two_nodes.at_second(ann)
    async with ann.connect() as one:
        await played(one, game, 1)
    for path, body in ((f"/dailies/{DAY}/deals/1/games", {"practice": False}), (f"/dailies/{DAY}/deals/1/spoil", {})):
        async with invisible_event(database_of(two_nodes), game_stream(game), 1):
            status, answer = await there.post(path, body)
            assert (status, answer["code"]) == (503, "unavailable"), path
    async with invisible_event(database_of(two_nodes), game_stream(game), 1):
        status, answer = await there.get(f"/dailies/{DAY}")
        assert (status, answer["code"]) == (503, "unavailable")
    assert await there.enter() == game
    await there.post(f"/dailies/{DAY}/deals/1/spoil")
    assert (await daily_deals(there))[0]["spoiled"]


async def test_a_day_is_not_watched_without_a_run(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    first, second = await ann.enter(), await bob.enter()
    async with ann.connect() as hers, bob.connect() as his:
        await played(hers, first, 1)
        await played(his, second, 1)
    async with two_nodes.at_second(ann).connect() as socket:
        async with invisible_event(database_of(two_nodes), game_stream(max(first, second)), 1):
            for _ in range(2):
                assert await refused(socket, "watch_day", day=DAY) == ("unavailable", True)
        assert {run["game"] for run in (await socket.watch_day(DAY))["games"]} == {first, second}


async def test_a_race_with_a_hole_is_unavailable(two_nodes: TwoNodes) -> None:
    ann, bob = await two_nodes.first.guest(), await two_nodes.first.guest()
    there = two_nodes.at_second(ann)
    race = await make_race(ann, bob)
    for version in (1, 3):
        async with invisible_event(database_of(two_nodes), race_stream(race["race"]), version):
            assert (await there.get(f"/races/{race['race']}"))[0] == 503
    assert (await there.get(f"/races/{race['race']}"))[0] == 200


async def test_backup_and_root_are_refused_while_an_event_is_missing(sql_store: SqlStore, tmp_path: Path) -> None:
    database, file = sql_store.database, tmp_path / "backup"
    await sql_store.append(append("game/a", 1, events=3))
    await sql_store.append(append("game/b", 1, events=3))
    for version in (1, 2):
        async with invisible_event(database, "game/a", version):
            with pytest.raises(StreamIncomplete):
                await write_backup(database, file)
            with pytest.raises(StreamIncomplete):
                await _root(database)
    assert not file.exists()
    assert (await write_backup(database, file)).rows["events"] == 6
    await _root(database)


async def _root(database: Database) -> Root:
    async with database.reading() as connection:
        return await root_of(connection, DAY)
