"""One player cannot fill the lists that everybody sees: live games, open races, and the guests of a day."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from cadogan.server.core.games.game_index import MAX_ROWS_PER_PERSON
from cadogan.server.subjects import casual
from cadogan.server.subjects.races.commands import MAX_WAITING
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.two_nodes import TwoNodes

OPEN_RACE = {"rules": "quatorze", "nonce": "words", "open": True}


@pytest.fixture
async def strict_server(sqlite_url: str) -> AsyncIterator[RunningServer]:
    """A server to which five guests may come at once."""
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url, rate=1, burst=5)) as one:
        yield one


async def live(viewer: Person) -> list[str]:
    """The ids of the live games, as they are listed."""
    return [one["game"] for one in (await viewer.get("/games/live"))[1]["games"]]


@pytest.mark.both_databases
async def test_one_player_has_two_live_games_in_the_list_after_those_of_players_with_a_name(
    running_server: RunningServer,
) -> None:
    ann, bob, flood = [await running_server.guest() for _ in range(3)]
    status, claimed = await ann.post("/account", {"name": "Ann", "password": "eight red queens"})
    assert status == 200, claimed
    ann.token = claimed["token"]
    anns, bobs = await ann.deal(), await bob.deal()
    running_server.clock.at += 60_000
    flooding = [await flood.deal() for _ in range(5)]
    running_server.clock.at += 60_000
    async with bob.connect() as socket:
        await socket.play(await socket.request("subscribe", game=bobs))
    listed = await live(bob)
    assert listed[:2] == [anns, bobs]
    assert len(listed[2:]) == MAX_ROWS_PER_PERSON
    assert set(listed[2:]) <= set(flooding)
    running_server.clock.at += 150_000
    assert await live(bob) == [bobs]


async def test_one_player_has_few_open_races_and_two_in_the_list(running_server: RunningServer) -> None:
    bob, flood = await running_server.guest(), await running_server.guest()
    _, bobs = await bob.post("/races", OPEN_RACE)
    running_server.clock.at += 1000
    races = [(await flood.post("/races", OPEN_RACE))[1]["race"] for _ in range(MAX_WAITING)]
    status, refused = await flood.post("/races", OPEN_RACE)
    assert (status, refused["code"]) == (429, "too_many")
    listed = [one["race"] for one in (await bob.get("/races"))[1]["races"]]
    assert listed[-1] == bobs["race"]
    assert len(listed) == 1 + MAX_ROWS_PER_PERSON
    await flood.post(f"/races/{races[0]}/leave")
    assert (await flood.post("/races", OPEN_RACE))[0] == 200


@pytest.mark.both_databases
async def test_one_player_has_few_open_races_also_by_requests_at_the_same_moment_to_two_nodes(
    two_nodes: TwoNodes,
) -> None:
    flood = await two_nodes.first.guest()
    clients = [flood, two_nodes.at_second(flood)] * 6
    found = await asyncio.gather(*[one.post("/races", OPEN_RACE) for one in clients])
    answers = Counter([status for status, _ in found])
    assert {*answers} == {200, 429}
    assert 1 <= answers[200] <= MAX_WAITING
    assert await two_nodes.first.server.race_commands._index.count_waiting_races(flood.id, 0) == answers[200]


async def test_one_player_has_few_unfinished_games_of_every_kind_also_by_requests_at_the_same_moment(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(casual, "MAX_UNFINISHED", 3)
    flood = await sqlite_server.guest()
    run = await flood.enter()
    await play_and_resign(flood, run, 1)
    sqlite_server.clock.at = CLOSED
    await flood.get(f"/dailies/{DAY}")
    deals = [(await flood.post("/deals", {"rules": "quatorze"}))[1]["deal"] for _ in range(4)]
    new_games = [flood.post("/games", {"deal": deal, "nonce": "words"}) for deal in deals]
    practice = [flood.post(f"/dailies/{DAY}/deals/1/games", {"practice": True}) for _ in range(4)]
    continued = [flood.post(f"/games/{run}/continuations", {"version": 1}) for _ in range(4)]
    answers = Counter([status for status, _ in await asyncio.gather(*new_games, *practice, *continued)])
    assert answers == {200: 3, 429: 9}


async def test_few_guests_come_from_one_address_and_few_races_are_opened_there(strict_server: RunningServer) -> None:
    guests = [await strict_server.guest() for _ in range(5)]
    status, refused = await strict_server.stranger().post("/session/guest")
    assert (status, refused["code"], refused["retry_after"] > 300) == (429, "rate_limited", True)
    opened = [(await one.post("/races", OPEN_RACE))[0] for one in (*guests, guests[0])]
    assert opened == [200, 200, 200, 200, 200, 429]
