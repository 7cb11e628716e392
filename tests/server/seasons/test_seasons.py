"""Seasons open by an act of a host, go on and close by the clock, and follow from the log alone."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core import dates
from cadogan.server.core.storage.rebuild import find_differences, rebuild
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.seasons.seasons import weeks_after
from tests.harness.evening_actions import Room, open_room
from tests.harness.finished_games import finish, strike
from tests.harness.hosts import log_of, with_role
from tests.harness.people import Person
from tests.harness.rated_evenings import hold_evening

pytestmark = pytest.mark.slow

FIRST = "2026-W47"
NAMES = ("ann", "bob", "cat", "dan")
SETTINGS = {"on": True, "least_sessions": 3}


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Two nodes, a host, and four guests; it is Friday in week 47."""
    async with open_room(database_url) as one:
        one.people["host"] = await with_role(one.first, "Rosamund", "host")
        for name in NAMES:
            one.people[name] = await one.first.guest()
        yield one


async def switch(room: Room, **settings: Any) -> dict[str, Any]:
    """Let the host set the seasons; return the list of them."""
    status, answer = await room.people["host"].ask("PUT", "/house/seasons", settings)
    assert status == 200, answer
    listed: dict[str, Any] = answer
    return listed


async def play_week(room: Room, week: str, *order: str) -> None:
    """Write three days of a week, in which these people had this order."""
    for number in range(3):
        day = dates.add_days(dates.first_day(week), number)
        for place, name in enumerate(order):
            await finish(room.first.server.store, room.people[name].id, "maze", "lost", day=day, score=50 - place)


async def pass_until(room: Room, week: str, milliseconds: int = 0) -> None:
    """Let time pass until a week begins, or later, and let every node do what is due."""
    await room.pass_time(dates.week_begins(week) + milliseconds - room.clock.at)
    await asyncio.gather(*(node.server.seasons.run_due() for node in room.nodes))


async def told(room: Room, season: str = FIRST) -> list[tuple[str, dict[str, Any], int]]:
    """The events of a season, with their times."""
    stored = await room.first.server.store.read(f"season/{season}")
    return [(event.type, json.decode(event.data), event.recorded_at) for event in stored]


async def show(person: Person, season: str = FIRST) -> dict[str, Any]:
    """A season as somebody sees it."""
    status, answer = await person.get(f"/seasons/{season}")
    assert status == 200, answer
    shown: dict[str, Any] = answer
    return shown


def by_name(room: Room, shown: dict[str, Any]) -> list[list[tuple[str, int, str | None]]]:
    """The name, score and move of each member, by division, the highest first."""
    names = {person.id: name for name, person in room.people.items()}
    divisions = sorted(shown["divisions"], key=lambda one: one["division"])
    return [[(names[row["player"]["id"]], row["score"], row.get("moves")) for row in one["rows"]] for one in divisions]


async def test_seasons_are_off_until_a_host_switches_them_on(room: Room) -> None:
    await pass_until(room, "2026-W49")
    status, listed = await room.people["ann"].get("/seasons")
    assert (status, listed["seasons"], listed["settings"].get("on", False)) == (200, [], False)
    status, refused = await room.people["ann"].ask("PUT", "/house/seasons", SETTINGS)
    assert (status, refused["code"]) == (403, "forbidden")
    listed = await switch(room, **SETTINGS)
    assert [one["id"] for one in listed["seasons"]] == ["2026-W49"]
    assert listed["seasons"][0]["weeks"] == weeks_after("2026-W49", 0, 12)
    assert [act["act"] for act in (await log_of(room.people["host"]))[:1]] == ["seasons_changed"]
    assert (await room.people["ann"].get("/seasons/2026-W48"))[0] == 404


@pytest.mark.both_databases
async def test_two_nodes_write_twelve_weeks_once_and_the_next_season_follows(room: Room) -> None:
    await switch(room, **SETTINGS)
    for week in weeks_after(FIRST, 0, 12):
        await play_week(room, week, "ann", "bob", "cat")
        await pass_until(room, week, 6 * dates.MILLISECONDS_PER_DAY)
    after = weeks_after(FIRST, 12, 1)[0]
    await pass_until(room, after, dates.MILLISECONDS_PER_DAY - 1)
    assert [name for name, _, _ in await told(room)] == ["season_opened"] + ["member_joined"] * 3
    await pass_until(room, after, dates.MILLISECONDS_PER_DAY)
    await asyncio.gather(*(node.server.seasons.run_due() for node in room.nodes))
    events = await told(room)
    assert [name for name, _, _ in events][4:] == ["season_closed"]
    assert events[4][2] == dates.week_begins(after) + dates.MILLISECONDS_PER_DAY
    shown = await show(room.people["bob"])
    assert (shown["closed"], shown["own"], shown["digest"]) == (True, 1, events[4][1]["digest"])
    # three sessions of five a week: 3 · (1, 1/2, 0) ÷ 5
    assert by_name(room, shown) == [[("ann", 6000, None), ("bob", 3000, None), ("cat", 0, None)]]
    following = await told(room, after)
    assert [name for name, _, _ in following] == ["season_opened"]
    assert [[one["player"] for one in division] for division in following[0][1]["divisions"]] == events[4][1]["next"]


async def test_a_season_that_nobody_asked_about_for_months_has_the_same_events(room: Room) -> None:
    await switch(room, **SETTINGS)
    await play_week(room, FIRST, "ann", "bob")
    await pass_until(room, weeks_after(FIRST, 30, 1)[0])
    _, listed = await room.people["ann"].get("/seasons")
    assert [one["id"] for one in listed["seasons"]] == [weeks_after(FIRST, number, 1)[0] for number in (24, 12, 0)]
    second = await told(room, weeks_after(FIRST, 12, 1)[0])
    assert [name for name, _, _ in second] == ["season_opened", "season_closed"]
    assert len(second[1][1]["next"][0]) == 2  # one season of absence is no reason to be taken off


async def test_a_run_that_is_struck_counts_in_no_season_until_its_close_and_changes_none_after_it(room: Room) -> None:
    await switch(room, **SETTINGS | {"weeks": 1})
    await play_week(room, FIRST, "ann", "bob", "cat")
    ann, bob = room.people["ann"].id, room.people["bob"].id
    days = [dates.add_days(dates.first_day(FIRST), number) for number in range(3)]
    await strike(room.first.server.store, f"{ann}:{days[0]}.1", ann)
    await pass_until(room, weeks_after(FIRST, 1, 1)[0], dates.MILLISECONDS_PER_DAY)
    closed = (await told(room))[-1]
    assert (closed[0], closed[1]["struck"]) == ("season_closed", [f"{ann}:{days[0]}.1"])
    before = await show(room.people["ann"])
    # ann has two sessions of 1; bob 7/8, as one of two where there were three at most, 1/2 and 1/2
    assert by_name(room, before) == [[("ann", 4000, None), ("bob", 3750, None), ("cat", 250, None)]]
    await strike(room.first.server.store, f"{bob}:{days[1]}.1", bob)
    await room.kill(0)
    assert await show(room.people["ann"]) == before


async def test_a_final_evening_is_a_session_for_everybody_who_played_it(room: Room) -> None:
    await switch(room, **SETTINGS)
    await hold_evening(room, NAMES)
    await room.first.server.seasons.run_due()
    shown = await show(room.people["dan"])
    # one session of five in the best of ten weeks: (1, 2/3, 1/3, 0) ÷ 50
    assert by_name(room, shown) == [[("ann", 200, None), ("bob", 133, None), ("cat", 67, None), ("dan", 0, None)]]
    assert [row["sessions"] for row in shown["divisions"][0]["rows"]] == [1, 1, 1, 1]


async def test_who_leaves_is_in_no_division_of_the_next_season(room: Room) -> None:
    await switch(room, **SETTINGS | {"weeks": 1})
    assert (await room.people["ann"].ask("DELETE", f"/seasons/{FIRST}/members/me"))[0] == 409
    await play_week(room, FIRST, "ann", "bob", "cat")
    await pass_until(room, FIRST, 6 * dates.MILLISECONDS_PER_DAY)
    for _ in range(2):
        assert (await room.people["ann"].ask("DELETE", f"/seasons/{FIRST}/members/me"))[0] == 200
    await pass_until(room, weeks_after(FIRST, 1, 1)[0], dates.MILLISECONDS_PER_DAY)
    events = await told(room)
    assert [name for name, _, _ in events].count("member_left") == 1
    assert events[-1][1]["next"] == [[room.people["bob"].id, room.people["cat"].id]]
    assert (await room.people["bob"].ask("DELETE", f"/seasons/{FIRST}/members/me"))[1]["code"] == "conflict"


async def test_a_season_that_was_switched_off_goes_on_to_its_end_and_none_follows(room: Room) -> None:
    await switch(room, **SETTINGS | {"weeks": 2})
    await switch(room, on=False)
    await pass_until(room, weeks_after(FIRST, 4, 1)[0])
    _, listed = await room.people["ann"].get("/seasons")
    assert [(one["id"], one["closed"]) for one in listed["seasons"]] == [(FIRST, True)]
    listed = await switch(room, **SETTINGS)
    assert [one["id"] for one in listed["seasons"]] == [weeks_after(FIRST, 4, 1)[0], FIRST]


async def test_the_first_of_a_lower_division_rises_and_the_last_of_the_higher_falls(room: Room) -> None:
    people = [f"p{number:02}" for number in range(18)]
    for name in people:
        room.people[name] = await room.first.guest()
    await play_week(room, FIRST, *people)
    await pass_until(room, weeks_after(FIRST, 1, 1)[0], dates.MILLISECONDS_PER_DAY)
    await switch(room, **SETTINGS | {"weeks": 1, "size": 8})
    season = weeks_after(FIRST, 1, 1)[0]
    divisions = (await told(room, season))[0][1]["divisions"]
    assert [len(members) for members in divisions] == [9, 9]
    names = {person.id: name for name, person in room.people.items()}
    upper, lower = ([names[one["player"]] for one in members] for members in divisions)
    await play_week(room, season, *lower, *upper)
    await pass_until(room, weeks_after(season, 1, 1)[0])
    shown = await show(room.people[lower[0]], season)
    assert [one["division"] for one in shown["divisions"]] == [2, 1]
    moves = [(name, move) for division in by_name(room, shown) for name, _, move in division if move]
    assert moves == [(upper[8], "down"), (lower[0], "up")]


async def test_a_rebuild_gives_the_same_seasons_to_the_byte(room: Room) -> None:
    await switch(room, **SETTINGS | {"weeks": 1})
    await play_week(room, FIRST, "ann", "bob", "cat")
    await pass_until(room, weeks_after(FIRST, 1, 1)[0], dates.MILLISECONDS_PER_DAY)
    before = await room.people["ann"].get(f"/seasons/{FIRST}")
    database = room.first.server.database
    await rebuild(database, known_rules())
    assert await find_differences(database, known_rules()) == []
    await room.kill(0)
    assert await room.people["ann"].get(f"/seasons/{FIRST}") == before
    digest = (await told(room))[-1][1]["digest"]
    state = await room.first.server.seasons.stored.get(FIRST)
    assert (await room.first.server.seasons.table(state))["digest"] == digest
