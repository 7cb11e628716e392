"""Bots that make duplicate matches, and play whoever comes."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from cadogan.bots.__main__ import describe_standing
from cadogan.bots.evening import EveningPlan, play_evening
from cadogan.bots.match import DEFAULT_NAME, MatchResult, play_match
from cadogan.sdk import Client, connect
from cadogan.sdk.errors import Forbidden
from cadogan.wire.matches import NewMatch
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.hosts import with_role

SECOND = 1000
DEALS = 2
WANTED = NewMatch(against="link", deals=DEALS)


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """One node, and somebody who looks on."""
    async with open_room(sqlite_url, count=1) as one:
        one.people["looking"] = await one.first.guest()
        yield one


def plan(room: Room) -> EveningPlan:
    """Return how the bots of a test play: by chance, as fast as they can."""
    return EveningPlan(room.first.url, "chance", poll_seconds=0.01)


async def make(room: Room, client: Client) -> tuple[asyncio.Future[MatchResult], str]:
    """Let a bot make a match; return how it plays it, and the code in its link."""
    link = asyncio.get_running_loop().create_future()
    playing = asyncio.ensure_future(play_match(client, plan(room), WANTED, link.set_result))
    code = (await link).removeprefix(f"{room.first.url}/e/")
    room.evening = (await client.find_evening(code)).id
    return playing, code


async def test_a_bot_plays_a_match_against_whoever_comes_with_its_link(room: Room) -> None:
    async with connect(room.first.url) as client:
        playing, code = await make(room, client)
        coming = asyncio.ensure_future(play_evening(plan(room), code, ["Ada"]))
        while not playing.done():
            shown = await room.show("looking")
            if not shown["match"]["waits"]:
                is_open = shown["state"] == "round"
                await room.pass_time(1 if is_open else 20 * SECOND)
            await asyncio.wait([playing], timeout=plan(room).poll_seconds)
        result = playing.result()
        await coming
    assert len(result.played.runs) == DEALS
    assert result.standing.state == "final"
    names = [line.partition(". ")[2].partition(":")[0] for line in describe_standing(result.standing)[1:]]
    assert sorted(names) == ["Ada", DEFAULT_NAME]


async def test_a_bot_waits_a_quarter_of_an_hour_for_somebody(room: Room) -> None:
    async with connect(room.first.url) as client:
        playing, _ = await make(room, client)
        await room.pass_time(15 * MINUTE)
        result = await playing
        assert (await client.show_evening(room.evening)).void == "no_opponent"
    assert (result.played.runs, result.standing.state) == ([], "void")


async def test_the_account_of_a_bot_makes_no_match(room: Room) -> None:
    owner = await with_role(room.first, "Ada", "moderator")
    _, made = await owner.post("/bots", {"name": "Marvin"})
    async with connect(room.first.url, made["token"]) as client:
        with pytest.raises(Forbidden, match="Matches are for people"):
            await play_match(client, plan(room), WANTED, lambda _: None)
