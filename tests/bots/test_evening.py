"""Bots that enter an evening by its code and play its rounds."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from click.testing import CliRunner

from cadogan.bots.__main__ import describe_standing, main
from cadogan.bots.evening import EveningPlan, EveningResult, play_evening, read_standing
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.hosts import with_role

ROUNDS = 2
BOTS = 6
ARENA_DEALS = 3
"""So many deals of an arena a bot plays before it closes."""


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """One node, and an evening of two rounds that begins in ten minutes."""
    async with open_room(sqlite_url, count=1) as one:
        await one.announce(rounds=ROUNDS, games=["golf"] * ROUNDS)
        yield one


def plan(room: Room) -> EveningPlan:
    """Return how the bots of a test play: by chance, as fast as they can."""
    return EveningPlan(room.first.url, "chance", poll_seconds=0.01)


def code(room: Room) -> str:
    """Return the code of the evening."""
    return room.evening[:6].upper()


async def play(room: Room, names: list[str], tokens: tuple[str, ...] = (), refused: int = 0) -> list[EveningResult]:
    """Let bots play the evening, and time pass whenever all who are not refused have entered or finished a round."""
    playing = asyncio.ensure_future(play_evening(plan(room), code(room), names, tokens))
    room.people["looking"] = await room.first.guest()
    while not playing.done():
        shown = await room.show("looking")
        if shown["state"] == "round":
            is_done = shown["rounds"][shown["round"] - 1].get("finished", 0) == len(names) - refused
        else:
            is_done = len(shown["entrants"]) == len(names)
        if is_done:
            await room.pass_time(MINUTE)
        await asyncio.wait([playing], timeout=plan(room).poll_seconds)
    return playing.result()


async def test_bots_play_every_round_over_the_socket_and_all_stand_in_the_standing(room: Room) -> None:
    names = [f"Player {number}" for number in range(BOTS)]
    results = await play(room, names)
    assert [result.problem for result in results] == [""] * BOTS
    assert {len(result.runs) for result in results} == {ROUNDS}
    assert all(result.answer_seconds for result in results)
    (people,) = (await read_standing(plan(room), code(room))).fields
    assert (people.field, sorted(row.player.name for row in people.rows)) == ("people", names)
    assert {row.runs for row in people.rows} == {ROUNDS}


async def test_a_bot_with_a_token_plays_under_its_account_in_the_standing_of_the_bots(room: Room) -> None:
    owner = await with_role(room.first, "Ada", "moderator")
    status, made = await owner.post("/bots", {"name": "Marvin"})
    assert status == 200, made
    results = await play(room, ["Player 1", "Player 2"], (made["token"],))
    assert [result.problem for result in results] == ["", ""]
    fields = {
        one.field: [row.player.name for row in one.rows] for one in (await read_standing(plan(room), code(room))).fields
    }
    assert fields == {"people": ["Player 2"], "bots": ["Marvin"]}


async def test_a_name_that_is_taken_stops_one_bot_and_no_other(room: Room) -> None:
    await room.guest("Player 1")
    results = await play(room, ["Player 1", "Player 2"], refused=1)
    assert (bool(results[0].problem), results[1].problem, len(results[1].runs)) == (True, "", ROUNDS)


async def test_a_bot_plays_an_arena_deal_after_deal_until_it_closes(room: Room) -> None:
    await room.announce(arena_minutes=10, games=["golf"])
    room.people["looking"] = await room.first.guest()
    playing = asyncio.ensure_future(play_evening(plan(room), code(room), ["Player 1"]))
    while not playing.done():
        shown = await room.show("looking")
        has_entered = shown["state"] == "entry" and bool(shown["entrants"])
        if has_entered or (shown["state"] == "round" and shown["arena"].get("finished", 0) >= ARENA_DEALS):
            await room.pass_time(10 * MINUTE)
        await asyncio.wait([playing], timeout=plan(room).poll_seconds)
    (result,) = playing.result()
    assert result.problem == ""
    assert len(result.runs) >= ARENA_DEALS
    lines = describe_standing(await read_standing(plan(room), code(room)))
    assert lines[0] == "people:"
    assert re.fullmatch(r"   1\. Player 1: \d+ points", lines[1])


def test_a_code_that_is_none_is_reported_once_and_nobody_enters() -> None:
    ran = CliRunner().invoke(main, ["evening", "http://127.0.0.1:1", "AAAAAA", "--count", "3", "--timeout", "1"])
    assert (ran.exit_code, ran.output.count("Error:")) == (1, 1)
    assert "does not answer" in ran.output


async def test_the_command_refuses_an_unknown_code_with_the_sentence_of_the_server(room: Room) -> None:
    arguments = ["evening", room.first.url, "ZZZZZZ", "--count", "2"]
    ran = await asyncio.to_thread(CliRunner().invoke, main, arguments)
    assert ran.exit_code == 1
    assert ran.output.endswith("Error: There is no evening with this code.\n")
    assert (await room.show())["entrants"] == []
