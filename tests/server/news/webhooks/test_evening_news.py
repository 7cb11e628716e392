"""What webhooks tell of evenings: the beginning, and the final standing, of those for everybody."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.rated_evenings import hold_evening
from tests.harness.webhook_actions import INSIDE, add, work
from tests.harness.webhook_receiver import Receiver

pytestmark = pytest.mark.slow
TOPICS = ["evening_started", "evening_ended"]


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """One node whose webhooks may go to this machine."""
    async with open_room(sqlite_url, 1, INSIDE) as one:
        yield one


async def hear(room: Room, program: Receiver) -> list[dict[str, Any]]:
    """Let the node look for news twice, and return all that the program was told."""
    for _ in range(2):
        await work(room.first)
    return [json.loads(one.body) for one in program.received]


async def test_the_beginning_and_the_final_standing_are_told_once_with_the_names_of_guests(
    room: Room, program: Receiver
) -> None:
    await room.announce()
    await add(room.people["host"], program.url, topics=TOPICS)
    assert await hear(room, program) == []
    await room.pass_time(10 * MINUTE)
    (started,) = await hear(room, program)
    assert (started["type"], started["data"]["evening"]) == ("evening.started", room.evening)
    first = room.evening
    await hold_evening(room, ("ann", "bob"))
    told = await hear(room, program)
    ended = next(one["data"] for one in told if one["type"] == "evening.ended")
    assert [one["type"] for one in told].count("evening.ended") == 1
    assert (ended["evening"] != first, ended["title"]) == (True, "Thursday at the club")
    results = [{"rank": 1, "player": "ann", "figure": 10_000}, {"rank": 2, "player": "bob", "figure": 0}]
    assert ended["results"] == results


async def test_an_evening_for_whoever_has_the_link_and_a_void_one_are_not_told(room: Room, program: Receiver) -> None:
    await room.announce()
    await add(room.people["host"], program.url, topics=TOPICS)
    assert (await room.rule(kind="void", reason="No light."))[0] == 200
    await hold_evening(room, ("ann", "bob"), entry="link")
    assert await hear(room, program) == []


async def test_a_chat_gets_the_first_places_with_their_shares(room: Room, program: Receiver) -> None:
    await room.announce()
    await add(room.people["host"], program.url, topics=["evening_ended"], format="slack", language="de")
    await hold_evening(room, ("ann", "bob"))
    await hear(room, program)
    text = json.loads(program.received[0].body)["text"]
    assert "ist vorbei. Der endgültige Stand:" in text
    assert "1. ann (100.00 %)\n2. bob (0.00 %)" in text
