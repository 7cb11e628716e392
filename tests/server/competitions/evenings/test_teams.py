"""The teams of an evening: who is in which, how they stand beside the players, and their table."""

import csv
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.subjects.evenings.evening_events import TeamAssigned
from tests.harness.command_line import run
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.people import Person

TEAMS: dict[str, Any] = {"best": 2, "names": ["Elms", "Oaks", "Limes"]}
ELMS, OAKS, LIMES = "1", "2", "3"


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An evening of two rounds with three teams, of which the best two shares count; it begins in ten minutes."""
    async with open_room(sqlite_url, count=1) as one:
        await one.announce(rounds=2, games=["klondike"] * 2, teams=TEAMS)
        yield one


async def enter(room: Room, name: str, team: str | None) -> tuple[Person, tuple[int, Any]]:
    """Let a guest enter under this name, in this team."""
    person = room.people[name] = await room.first.guest()
    answer = await person.ask("PUT", f"/evenings/{room.evening}/entrants/me", {"name": name, "team": team})
    return person, answer


async def assign(room: Room, by: str, name: str, team: str | None) -> tuple[int, Any]:
    """Let somebody put an entrant into a team."""
    player = room.people[name].id
    return await room.people[by].ask("PUT", f"/evenings/{room.evening}/entrants/{player}/team", {"team": team})


def teams_of(shown: dict[str, Any]) -> dict[str, str | None]:
    """The team of each entrant, by name."""
    return {one["player"]["name"]: one.get("team") for one in shown["entrants"]}


def rows_of(standing: dict[str, Any]) -> list[tuple[int, str, str, int]]:
    """The place, the name, the total and the members of each team."""
    return [(row["place"], row["name"], row["shown"], row["members"]) for row in standing.get("teams", [])]


async def test_the_two_best_shares_of_a_team_count_and_are_a_table_and_in_the_answer_of_the_command(
    room: Room, tmp_path: Path
) -> None:
    """The players do worse in this order, in both rounds."""
    for name, team in (("ann", ELMS), ("bob", ELMS), ("cat", ELMS), ("dan", OAKS), ("eve", OAKS)):
        assert (await enter(room, name, team))[1][0] == 200
    await room.pass_time(10 * MINUTE)
    for moves, name in enumerate(("ann", "dan", "bob", "cat", "eve")):
        await room.play(name, moves)
    await room.pass_time(ROUND + PAUSE)
    for moves, name in enumerate(("ann", "dan", "bob", "eve")):
        await room.play(name, moves)
    await room.pass_time(ROUND)
    standing = await room.standing()
    # Round 1, n = N = 5: 1, 3/4, 1/2, 1/4, 0. Round 2, n = 4, N = 5: 31/32, 21/32, 11/32, 1/32.
    assert rows_of(standing) == [(1, "Elms", "70.31", 3), (2, "Oaks", "35.94", 2)]
    assert [row["player"]["name"] for row in standing["fields"][0]["rows"]] == ["ann", "dan", "bob", "cat", "eve"]
    assert standing["teams"][0]["total"] == "45/64"
    answer = await room.first.session.get(f"{room.first.url}/evenings/{room.evening}/teams.csv")
    assert (answer.status, answer.content_type) == (200, "text/csv")
    rows = [*csv.DictReader((await answer.text()).splitlines())]
    assert [(row["place"], row["team"], row["name"], row["shown"]) for row in rows] == [
        ("1", ELMS, "Elms", "70.31"),
        ("2", OAKS, "Oaks", "35.94"),
    ]
    _, form = await room.people["ann"].get(f"/evenings/{room.evening}/form")
    file = tmp_path / "evening.json"
    file.write_bytes(json.encode(form))
    printed = run("score", str(file), "--csv", "--teams")
    assert (printed.exit_code, printed.output.splitlines()[1]) == (0, "1,1,3,45/64,70.31,27/64"), printed.output


async def test_an_open_round_counts_for_a_team_once_two_of_its_members_have_ended_it(room: Room) -> None:
    for name, team in (("ann", ELMS), ("bob", ELMS), ("dan", OAKS)):
        await enter(room, name, team)
    await room.pass_time(10 * MINUTE)
    await room.play("ann")
    await room.play("dan", 1)
    assert rows_of(await room.standing()) == []
    await room.play("bob", 2)
    assert rows_of(await room.standing()) == [(1, "Elms", "50.00", 2)]
    await room.pass_time(ROUND)
    assert rows_of(await room.standing()) == [(1, "Elms", "50.00", 2), (2, "Oaks", "25.00", 1)]


async def test_an_entrant_chooses_a_team_and_the_leader_assigns_one_until_a_deal_is_opened(room: Room) -> None:
    await enter(room, "ann", ELMS)
    await enter(room, "bob", None)
    shown = await room.show()
    assert (shown["teams"]["best"], [(one["id"], one["name"]) for one in shown["teams"]["teams"]]) == (
        2,
        [(ELMS, "Elms"), (OAKS, "Oaks"), (LIMES, "Limes")],
    )
    assert teams_of(shown) == {"ann": ELMS, "bob": None}
    address = f"/evenings/{room.evening}/entrants/me"
    assert teams_of((await room.people["ann"].ask("PUT", address, {"team": OAKS}))[1])["ann"] == OAKS
    assert teams_of((await room.people["ann"].ask("PUT", address, {}))[1])["ann"] == OAKS
    status, shown = await assign(room, "host", "bob", LIMES)
    assert (status, teams_of(shown)["bob"]) == (200, LIMES)
    assert teams_of((await assign(room, "host", "bob", None))[1])["bob"] is None
    await room.pass_time(10 * MINUTE)
    assert (await assign(room, "host", "bob", ELMS))[0] == 200
    await room.open_deal("ann")
    status, refused = await assign(room, "host", "ann", ELMS)
    assert (status, refused["code"]) == (409, "conflict")
    assert (await room.people["ann"].ask("PUT", address, {"team": ELMS}))[0] == 409
    assert teams_of(await room.show()) == {"ann": OAKS, "bob": ELMS}


async def test_only_the_leader_puts_others_into_a_team_and_only_into_one_of_the_evening(room: Room) -> None:
    await enter(room, "ann", ELMS)
    await enter(room, "bob", None)
    assert (await assign(room, "ann", "bob", OAKS))[0] == 403
    assert (await assign(room, "host", "bob", "4"))[0] == 404
    assert (await enter(room, "eve", "9"))[1][0] == 404
    assert (await assign(room, "host", "eve", ELMS))[0] == 404
    assert teams_of(await room.show()) == {"ann": ELMS, "bob": None}
    await room.announce(title="Without teams")
    _, (status, refused) = await enter(room, "cat", ELMS)
    assert (status, refused["message"]) == (409, "This evening has no teams.")


async def test_teams_need_different_names_and_shares_that_can_be_summed(room: Room) -> None:
    host, new = room.people["host"], {"title": "Teams", "starts_at": room.clock.at + MINUTE, "rounds": 1}
    for wrong in (
        {"teams": {"best": 1, "names": ["Elms", "elms"]}},
        {"teams": {"best": 1, "names": ["Elms"]}},
        {"teams": {"best": 0, "names": ["Elms", "Oaks"]}},
        {"teams": TEAMS, "scoring": "places"},
    ):
        status, refused = await host.post("/evenings", new | wrong)
        assert (status, refused["code"]) == (400, "bad_message"), (wrong, refused)


async def test_a_team_mate_sees_no_card_of_an_open_deal(room: Room) -> None:
    await enter(room, "ann", ELMS)
    await enter(room, "bob", ELMS)
    await room.pass_time(10 * MINUTE)
    game = await room.play("ann", 1)
    async with room.people["bob"].connect() as watching:
        assert (await watching.request("subscribe", game=game))["sight"] == "meter"
    assert (await room.people["bob"].get(f"/games/{game}/record"))[0] == 403


async def test_a_team_assigned_while_its_player_opens_the_first_deal_does_not_count(room: Room) -> None:
    """Of two requests at the same time, the deal is opened first, and the assignment is written then."""
    bob, _ = await enter(room, "bob", ELMS)
    await room.pass_time(10 * MINUTE)
    await room.play("bob")
    room.clock.at += 1
    evenings = room.first.server.evenings
    state = await evenings.write(room.evening, lambda _: [TeamAssigned(bob.id, room.people["host"].id, OAKS)])
    assert [one.team for one in (await evenings.make_form(state)).entrants] == [ELMS]
    await room.pass_time(ROUND)
    assert rows_of(await room.standing()) == [(1, "Elms", "25.00", 1)]
    assert teams_of(await room.show()) == {"bob": ELMS}
