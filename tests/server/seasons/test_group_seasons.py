"""The seasons of a group: switched on by its owner, seen by its members, with the group's evenings."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from cadogan.server.core import dates
from cadogan.server.subjects.seasons.seasons import weeks_after
from tests.harness.evening_actions import Room, open_room
from tests.harness.rated_evenings import hold_evening
from tests.server.seasons.test_seasons import FIRST, by_name, pass_until, play_week, show, told

pytestmark = pytest.mark.slow


class Club:
    """A group of a room, with the link by which others join it."""

    def __init__(self, room: Room, id: str, token: str) -> None:
        self.room = room
        self.id = id
        self.token = token

    @property
    def season(self) -> str:
        """The id of the first season."""
        return f"{self.id}-{FIRST}"

    async def join(self, name: str) -> None:
        """Let somebody join the group."""
        status, answer = await self.room.people[name].post("/groups/join", {"token": self.token})
        assert status == 200, answer

    async def switch(self, by: str = "ann", **settings: Any) -> tuple[int, Any]:
        """Let somebody set the seasons of the group; return status and answer."""
        wanted = {"on": True, "weeks": 3, "least_sessions": 0} | settings
        return await self.room.people[by].ask("PUT", f"/groups/{self.id}/seasons", wanted)


@pytest.fixture
async def club(database_url: str) -> AsyncIterator[Club]:
    """A group of ann, who owns it, and bob; cat and dan are not in it. It is Friday in week 47."""
    async with open_room(database_url) as room:
        for name in ("ann", "bob", "cat", "dan"):
            room.people[name] = await room.first.guest()
        status, made = await room.people["ann"].post("/groups", {"name": "The snug"})
        assert status == 200, made
        one = Club(room, made["id"], made["token"])
        await one.join("bob")
        yield one


async def test_only_the_owner_switches_the_seasons_of_a_group_and_only_members_see_them(club: Club) -> None:
    people = club.room.people
    status, refused = await club.switch("bob")
    assert (status, refused["code"]) == (403, "forbidden")
    status, refused = await club.switch("cat")
    assert (status, refused["code"]) == (404, "not_found")
    status, listed = await club.switch()
    assert (status, [one["id"] for one in listed["seasons"]]) == (200, [club.season])
    _, listed = await people["bob"].get(f"/groups/{club.id}/seasons")
    assert (listed["settings"]["on"], listed["settings"]["weeks"], len(listed["seasons"])) == (True, 3, 1)
    assert (await people["bob"].get(f"/seasons/{club.season}"))[0] == 200
    for path in (f"/groups/{club.id}/seasons", f"/seasons/{club.season}"):
        assert (await people["cat"].get(path))[0] == 404
    status, refused = await people["cat"].ask("DELETE", f"/seasons/{club.season}/members/me")
    assert (status, refused["code"]) == (404, "not_found")
    assert (await people["cat"].get("/seasons"))[1]["seasons"] == []


@pytest.mark.both_databases
async def test_days_count_with_the_share_among_everybody_and_for_members_only(club: Club) -> None:
    room = club.room
    await club.switch()
    await play_week(room, FIRST, "cat", "ann", "bob")
    await pass_until(room, FIRST, 6 * dates.MILLISECONDS_PER_DAY)
    # three sessions of five in the best of one week: 3 · (1/2, 0) ÷ 5; cat has 1, and is no member
    assert by_name(room, await show(room.people["bob"], club.season)) == [[("ann", 3000, None), ("bob", 0, None)]]
    assert [name for name, _, _ in await told(room, club.season)] == ["season_opened"] + ["member_joined"] * 2


async def test_an_evening_of_the_group_counts_in_its_season_and_one_for_everybody_does_not(club: Club) -> None:
    room = club.room
    await club.join("cat")
    await club.switch(weeks=1)
    await hold_evening(room, ("dan", "bob", "ann"))
    assert (await room.people["ann"].get(f"/seasons/{club.season}"))[1]["divisions"] == []
    room.people["host"], announcing = room.people["ann"], room.people["host"]
    await hold_evening(room, ("bob", "ann", "cat"), entry="group", group=club.id)
    room.people["host"] = announcing
    await room.first.server.seasons.run_due()
    shown = await show(room.people["cat"], club.season)
    assert [(name, score) for name, score, _ in by_name(room, shown)[0]] == [
        ("bob", 2000),
        ("ann", 1000),
        ("cat", 0),
    ]


async def test_for_who_joins_the_group_later_no_earlier_week_counts(club: Club) -> None:
    room = club.room
    await club.switch()
    await play_week(room, FIRST, "cat", "ann", "bob")
    second = weeks_after(FIRST, 1, 1)[0]
    await pass_until(room, second, dates.MILLISECONDS_PER_DAY)
    await club.join("cat")
    await pass_until(room, second, 2 * dates.MILLISECONDS_PER_DAY)
    names = {person.id: name for name, person in room.people.items()}
    assert [names[data["player"]] for name, data, _ in await told(room, club.season) if name == "member_joined"] == (
        sorted(("ann", "bob"), key=lambda name: room.people[name].id)
    )
    await play_week(room, second, "cat", "ann", "bob")
    await pass_until(room, weeks_after(FIRST, 2, 1)[0])
    joined = (await told(room, club.season))[-1]
    assert (names[joined[1]["player"]], joined[1]["first_week"]) == ("cat", second)
    # of the first week cat has nothing, of the second 3/5; the best of three weeks counts
    shown = await show(room.people["cat"], club.season)
    assert shown["divisions"][0]["rows"][0]["weeks"] == [0, 6000, 0]


@pytest.mark.both_databases
async def test_who_leaves_the_group_leaves_its_season_and_two_nodes_write_that_once(club: Club) -> None:
    room = club.room
    await club.switch(weeks=1)
    await play_week(room, FIRST, "ann", "bob")
    await pass_until(room, FIRST, 6 * dates.MILLISECONDS_PER_DAY)
    assert (await room.people["bob"].ask("DELETE", f"/groups/{club.id}/members/me"))[0] == 200
    await pass_until(room, weeks_after(FIRST, 1, 1)[0], dates.MILLISECONDS_PER_DAY)
    events = await told(room, club.season)
    assert [name for name, _, _ in events].count("member_left") == 1
    assert (events[-1][0], events[-1][1]["next"]) == ("season_closed", [[room.people["ann"].id]])
    assert (await room.people["bob"].get(f"/seasons/{club.season}"))[0] == 404


async def test_a_group_without_members_has_no_further_season(club: Club) -> None:
    room = club.room
    await club.switch(weeks=1)
    for name in ("ann", "bob"):
        assert (await room.people[name].ask("DELETE", f"/groups/{club.id}/members/me"))[0] == 200
    await pass_until(room, weeks_after(FIRST, 5, 1)[0])
    seasons = room.first.server.seasons.stored
    assert await seasons.ids(club.id) == [club.season]
    assert (await seasons.get(club.season)).closed is not None
    assert await seasons.groups() == []
