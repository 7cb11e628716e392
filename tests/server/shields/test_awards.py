"""Shields are awarded two days after their month, once, and held until somebody does better in another month."""

import asyncio

import pytest
from msgspec import json

from cadogan.server.core import dates
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.wire.collection import HeldShield
from tests.harness.evening_actions import open_room
from tests.harness.rated_evenings import PEOPLE, hold_evening
from tests.server.shields.test_leaders import Clock, rank, shields_by

FIELD = ("ann", "bob", "eve", "dan")
DUE = dates.day_times("2026-12-03", 0).opens_at


async def awards(store: SqlStore) -> list[tuple[str, str, str, bool]]:
    """The month, game and holder of each award in the log, and whether the shield was kept."""
    told = [json.decode(event.data) for event in await store.read("shields")]
    return [(one["month"], one["game"], one["player"], one["kept"]) for one in told]


@pytest.mark.both_databases
async def test_a_month_is_awarded_once_two_days_after_its_end(sql_store: SqlStore) -> None:
    await rank(sql_store, "2026-11-10", *FIELD)
    clock = Clock(DUE - 1)
    nodes = [shields_by(sql_store, clock) for _ in range(2)]
    for node in nodes:
        await node.run_due()
    assert await awards(sql_store) == []
    clock.at = DUE
    await asyncio.gather(*(node.run_due() for node in nodes))
    for node in nodes:
        await node.run_due()
    assert await awards(sql_store) == [("2026-11", "maze", "ann", False)]
    assert (await sql_store.read("shields"))[0].recorded_at == DUE
    assert await nodes[1].held_by("ann") == [HeldShield(rules="maze", month="2026-11", sum=1.0)]
    assert await nodes[1].held_by("bob") == []


async def test_a_holder_keeps_the_shield_if_equal_and_while_nobody_plays(sql_store: SqlStore) -> None:
    await rank(sql_store, "2026-11-10", "bob", "ann", "eve", "dan")
    await rank(sql_store, "2027-01-10", "ann", "bob", "eve", "dan")
    await rank(sql_store, "2027-01-11", "bob", "ann", "eve", "dan")
    await rank(sql_store, "2027-02-10", *FIELD)
    late = shields_by(sql_store, Clock(dates.day_times("2027-03-03", 0).opens_at))
    await late.run_due()
    assert await awards(sql_store) == [
        ("2026-11", "maze", "bob", False),
        ("2027-01", "maze", "bob", True),
        ("2027-02", "maze", "ann", False),
    ]


async def test_a_run_that_ends_after_its_month_takes_no_place_among_the_best_three(sql_store: SqlStore) -> None:
    for day in ("2026-11-10", "2026-11-11", "2026-11-12"):
        await rank(sql_store, day, "bob", "ann", "eve", "dan")
    await rank(sql_store, "2026-11-13", "ann", "eve", "dan", "kim")
    await rank(sql_store, "2026-12-05", *FIELD)
    shields = shields_by(sql_store, Clock(DUE))
    await shields.run_due()
    assert (await shields.held_by("bob"))[0].sum == 3.0


async def test_the_runs_of_a_final_evening_count_for_the_shield(database_url: str) -> None:
    async with open_room(database_url, count=1) as room:
        await hold_evening(room)
        leads = [await collected(room.first.stranger(), room.people[name].id) for name in PEOPLE]
    assert leads == [[{"rules": "klondike", "sum": 2.0}], [], [], []]


async def collected(reader: object, player: str) -> object:
    """The games that a player leads this month."""
    status, found = await reader.get(f"/players/{player}/collection")  # type: ignore[attr-defined]
    assert status == 200
    return found["shields"]
