"""What one person tries at the same moment, often and on two nodes, holds the limits that hold one after another."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cadogan.server.subjects.evenings.leading import leading
from cadogan.server.subjects.evenings.matches import matches
from tests.harness.arena_actions import enter_bot
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.hosts import player, with_role
from tests.harness.people import Person

LINK = {"against": "link", "deals": 1}
TRIES = 12


@pytest.fixture
async def room(database_url: str) -> AsyncIterator[Room]:
    """Two nodes, with Ada, and Bob whom she may challenge."""
    async with open_room(database_url) as one:
        for name in ("Ada", "Bob"):
            one.people[name] = await player(one.first, name)
        yield one


async def post_on_both_nodes(room: Room, name: str, path: str, body: dict[str, Any]) -> Counter[int]:
    """Let somebody send the same request many times at the same moment, to both nodes; count the answers."""
    clients = [room.people[name], room.at(name, 1)]
    answers = await asyncio.gather(*(clients[number % 2].post(path, body) for number in range(TRIES)))
    return Counter(status for status, _ in answers)


async def states(person: Person, path: str, key: str) -> Counter[str]:
    """How many evenings or matches somebody sees, by state."""
    return Counter(one["state"] for one in (await person.get(path))[1][key])


@pytest.mark.both_databases
async def test_nobody_has_more_matches_that_wait_by_making_them_at_the_same_moment(room: Room) -> None:
    answers = await post_on_both_nodes(room, "Ada", "/matches", LINK)
    assert {*answers} == {200, 429}, answers
    waiting = await states(room.people["Ada"], "/matches", "matches")
    assert 1 <= waiting["waiting"] == answers[200] <= matches.MAX_WAITING


@pytest.mark.both_databases
async def test_nobody_is_challenged_twice_by_challenges_at_the_same_moment(room: Room) -> None:
    await post_on_both_nodes(room, "Ada", "/matches", {"against": "player", "opponent": "Bob", "deals": 1})
    assert (await states(room.people["Bob"], "/matches", "matches"))["waiting"] <= 1


@pytest.mark.both_databases
async def test_nobody_leads_more_evenings_by_making_them_at_the_same_moment(room: Room) -> None:
    room.people["host"] = await with_role(room.first, "Rosamund", "host")
    new = {"title": "Thursday", "starts_at": room.clock.at + 10 * MINUTE, "rounds": 1, "games": ["klondike"]}
    answers = await post_on_both_nodes(room, "host", "/evenings", new)
    assert {*answers} == {200, 429}, answers
    coming = await states(room.people["host"], "/evenings", "evenings")
    assert 1 <= coming["coming"] == answers[200] <= leading.MAX_WAITING


async def test_matches_that_were_accepted_count_too(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MAX_CURRENT", 2)
    far = {**LINK, "starts_at": room.clock.at + 60 * MINUTE}
    for _ in range(2):
        match = (await room.people["Ada"].post("/matches", far))[1]
        assert (await room.people["Bob"].ask("PUT", f"/evenings/{match['id']}/entrants/me", {}))[0] == 200
    status, refused = await room.people["Ada"].post("/matches", far)
    assert (status, refused["message"]) == (429, "You have 2 matches that are not over.")


@pytest.mark.both_databases
async def test_a_person_and_a_bot_of_theirs_have_one_place_also_on_two_nodes(room: Room) -> None:
    await room.announce()
    bot = await enter_bot(room, "Cy bot", "Cy")
    for _ in range(4):
        await room.announce()
        path = f"/evenings/{room.evening}/entrants/me"
        answers = await asyncio.gather(
            room.at("Cy", 1).ask("PUT", path, {}), room.people["Ada"].ask("PUT", path, {}), bot.ask("PUT", path, {})
        )
        assert sorted(status for status, _ in answers) == [200, 200, 409]
        assert len((await room.show("Ada"))["entrants"]) == 2
