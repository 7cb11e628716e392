"""Final evenings are rated in the background, once, by whichever node comes first; strikes rate them again."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core.database.tables import ratings
from cadogan.server.core.scoring.forms import Contest, Placed, Ratings
from cadogan.server.core.scoring.ratings import rate as rate_all
from cadogan.server.core.storage.rebuild import find_differences, rebuild
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.evening_actions import Room, open_room
from tests.harness.hosts import WHY
from tests.harness.rated_evenings import PEOPLE, hold_evening, rate

THREE = PEOPLE[:3]


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Two nodes, and nobody there yet."""
    async with open_room(database_url) as one:
        yield one


async def written(room: Room) -> list[dict[str, Any]]:
    """The events of the stream, without the ids of players and evenings."""
    return [json.decode(event.data) for event in await room.first.server.store.read("ratings")]


async def rows(room: Room) -> list[str]:
    """The rows that follow from the stream."""
    async with room.first.server.database.reading() as connection:
        return sorted(map(repr, await connection.execute(ratings.select())))


async def form_of(room: Room, name: str) -> dict[str, Any]:
    """The form of somebody in all evenings, as anybody sees it."""
    status, form = await room.first.stranger().get(f"/players/{room.people[name].id}/form")
    assert status == 200, form
    pools: dict[str, Any] = {pool["pool"]: pool for pool in form["pools"]}
    found: dict[str, Any] = pools["all"]
    return found


def contest(room: Room, number: int, order: tuple[str, ...] = PEOPLE) -> Contest:
    """An evening in which these people had this order."""
    placed = [Placed(room.people[name].id, place) for place, name in enumerate(order, 1)]
    return Contest(f"evening{number}", number, placed, "steady")


@pytest.mark.both_databases
async def test_an_evening_is_rated_once_though_two_nodes_rate_it_at_the_same_time(room: Room) -> None:
    await hold_evening(room)
    assert await written(room) == []
    await asyncio.gather(*(node.server.rater.run_due() for node in room.nodes))
    await rate(room)
    told = await written(room)
    pools = [(one["pool"], one["kind"], one["cause"]) for one in told]
    assert pools[0] == ("all", "person", "contest")
    assert len(pools) == len({*pools}) == 2
    # four newcomers: the first performs 1807.80 and the second 1590.02
    assert [(one["place"], one["performance"], one["after"]) for one in told[0]["changes"][:2]] == [
        (1, 180780, 175825),
        (2, 159002, 157572),
    ]
    assert [one["share"] for one in told[0]["changes"]] == [10000, 6667, 3333, 0]


async def test_evening_after_evening_gives_the_ratings_of_all_evenings_at_once(room: Room) -> None:
    orders = (PEOPLE, tuple(reversed(PEOPLE)), ("bob", "ann", "dan", "cat"))
    for order in orders:
        await hold_evening(room, order)
        await rate(room)
    contests = [contest(room, number, order) for number, order in enumerate(orders)]
    expected = rate_all(Ratings("cadogan ratings 1", contests))["events"]
    told = [one for one in await written(room) if one["pool"] == "all"]
    for ours, theirs in zip(told, [one for one in expected if one["pool"] == "all"], strict=True):
        assert [change | {"share": 0} for change in theirs["changes"]] == [
            change | {"share": 0} for change in ours["changes"]
        ]


async def test_a_struck_run_rates_its_evening_and_all_that_follow_again(room: Room) -> None:
    runs = await hold_evening(room)
    await rate(room)
    await hold_evening(room)
    await rate(room)
    before = await form_of(room, "ann")
    for name in ("ann", "bob"):
        path = f"/house/runs/{runs[name]}/strike"
        status, answer = await room.people["host"].ask("PUT", path, WHY | {"struck": True})
        assert status == 200, answer
    await rate(room)
    told = [one for one in await written(room) if one["pool"] == "all"]
    assert [one["cause"] for one in told] == ["contest", "contest", "correction", "correction"]
    assert told[2]["struck"] == sorted(runs[name] for name in ("ann", "bob"))
    assert "struck" not in told[3]
    after = await form_of(room, "ann")
    assert after["history"][0]["share"] == 5000
    assert after["rating"] < before["rating"]
    await rate(room)
    assert len([one for one in await written(room) if one["pool"] == "all"]) == 4


async def test_a_node_that_begins_anew_goes_on_from_what_is_written(room: Room) -> None:
    await hold_evening(room)
    await room.first.server.rater.run_due()
    await room.kill(0)
    await hold_evening(room)
    await rate(room)
    form = await form_of(room, "ann")
    assert [one["place"] for one in form["history"]] == [1, 1]
    assert (form["evenings"], form["share"], form["provisional"]) == (2, 10000, True)


async def test_the_rows_follow_from_the_log_to_the_byte(room: Room) -> None:
    await hold_evening(room)
    await rate(room)
    database, right = room.first.server.database, await rows(room)
    assert len(right) == 8
    async with database.writing() as connection:
        await connection.execute(ratings.update().where(ratings.c.place == 1).values(after=1))
        await connection.execute(ratings.delete().where(ratings.c.place == 2))
    assert [name for name in await find_differences(database, known_rules()) if name.startswith("ratings")] != []
    await rebuild(database, known_rules())
    assert await rows(room) == right
    assert await find_differences(database, known_rules()) == []


async def test_an_evening_of_three_or_one_that_is_not_rated_changes_no_rating(room: Room) -> None:
    await hold_evening(room, THREE)
    await hold_evening(room, rated=False)
    await rate(room)
    assert await written(room) == []
    status, form = await room.first.stranger().get(f"/players/{room.people['ann'].id}/form")
    assert (status, form["pools"]) == (200, [])


async def test_the_list_of_ratings_has_the_best_first_and_bots_apart(room: Room) -> None:
    await hold_evening(room)
    await rate(room)
    reader = room.first.stranger()
    status, listed = await reader.get("/ratings")
    assert status == 200
    assert [(row["rank"], row["rating"], row["share"], row["provisional"]) for row in listed["players"]] == [
        (1, 1758, 10000, True),
        (2, 1576, 6667, True),
        (3, 1424, 3333, True),
        (4, 1242, 0, True),
    ]
    assert [row["player"]["id"] for row in listed["players"]] == [room.people[name].id for name in PEOPLE]
    assert (await reader.get("/ratings?bots=1"))[1]["players"] == []
    assert (await reader.get("/ratings?pool=nowhere"))[0] == 400


async def test_the_title_of_an_evening_by_link_is_told_to_nobody(room: Room) -> None:
    await hold_evening(room, entry="link")
    await rate(room)
    await hold_evening(room, title="Friday at the club")
    await rate(room)
    history = (await form_of(room, "ann"))["history"]
    assert [one.get("title") for one in history] == [None, "Friday at the club"]
    assert [one.get("evening") for one in history] == [None, room.evening]


async def test_a_final_standing_says_who_was_better_than_their_rating_predicted(room: Room) -> None:
    for _ in range(3):
        await hold_evening(room)
        await rate(room)
    await hold_evening(room, tuple(reversed(PEOPLE)))
    assert "form" not in await room.standing()
    await rate(room)
    form = (await room.standing())["form"]
    assert [row["player"]["name"] for row in form] == ["dan", "cat", "bob", "ann"]
    assert [row["place"] for row in form] == [1, 2, 3, 4]
    assert form[0]["predicted"] + form[0]["form"] == 10000
    assert form[0]["form"] == -form[3]["form"]
