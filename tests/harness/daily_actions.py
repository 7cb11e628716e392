"""Actions on the deals of a day: list the deals, end a run, request to see a deal."""

import asyncio
from typing import Any

from cadogan.server.core import dates
from cadogan.server.subjects.daily.competition import AbandonedRuns
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

DAY = "2026-11-20"
GRACE = 3_600_000
CLOSES = dates.day_times(DAY, GRACE).closes_at
CLOSED = CLOSES + SETTLE_MILLISECONDS
"""When the close of the day is written, in milliseconds since 1970."""


async def daily_deals(person: Person, day: str = DAY) -> list[dict[str, Any]]:
    """Return the deals of a day as sent to the person."""
    found: list[dict[str, Any]] = (await person.get(f"/dailies/{day}"))[1]["deals"]
    return found


async def daily_deal(person: Person, slot: int = 1, day: str = DAY) -> dict[str, Any]:
    """Return one deal of a day as sent to the person."""
    return (await daily_deals(person, day))[slot - 1]


async def play_and_resign(person: Person, game: str, moves: int = 0, choice: int = 0) -> None:
    """Play the first legal move, or this one, so many times, or until there is none, then resign."""
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(moves):
            if seen["legal"]:
                seen = {**seen, **await socket.play({**seen, "game": game}, seen["legal"][choice])}
        await socket.send("resign", game=game, version=seen["version"])
        await socket.receive("game_finished")


async def ask_to_be_shown(person: Person, slot: int = 1, day: str = DAY) -> dict[str, Any]:
    """Request to see a deal; return the response."""
    _, body = await person.post(f"/dailies/{day}/deals/{slot}/spoil")
    answer: dict[str, Any] = body
    return answer


async def access_level_of(person: Person, game: str) -> str:
    """Return the person's access level to a game (`sight`)."""
    _, view = await person.get(f"/games/{game}")
    return str(view["sight"])


async def refusal(person: Person, path: str, body: Any = None) -> str:
    """Return the error code of a refused request."""
    _, answer = await person.post(path, body)
    return str(answer["code"])


async def event_types(running_server: RunningServer, stream: str) -> list[str]:
    """Return the types of the events in a stream."""
    return [event.type for event in await running_server.server.store.read(stream)]


async def attempt_id(running_server: RunningServer, person: Person, slot: int = 1) -> str:
    """Return the id of the person's attempt at a deal, whether it has begun or not."""
    daily = await running_server.server.challenges.get(DAY, running_server.clock.at)
    assert daily is not None
    return daily.attempt(f"{DAY}.{slot}", person.id)


async def close_day(running_server: RunningServer, day: str = DAY) -> list[Any]:
    """Set the clock after the close of the day and let the server close it; return the day's events."""
    running_server.clock.at = dates.day_times(day, GRACE).closes_at + SETTLE_MILLISECONDS
    await running_server.server.challenges.list_days(running_server.clock.at)
    return await running_server.server.store.read(f"daily/{day}")


async def end_left_runs(*nodes: RunningServer) -> None:
    """End the unfinished runs of closed days, on all these nodes concurrently, as newly started nodes do."""
    servers = [node.server for node in nodes]
    left = [AbandonedRuns(one.challenges, one.index, one.cache, one.commands, one.now) for one in servers]
    for ending in left:
        ending.schedule_end()
    await asyncio.gather(*(ending.background.wait_until_idle() for ending in left))
