"""A crowd that comes at the same moment, at the opening of a day: what it asks the database is asked together."""

import asyncio
from typing import Any

import pytest

from cadogan.server.core.event_loop import PAUSE_SECONDS
from tests.harness.people import Person
from tests.harness.running_server import RunningServer
from tests.harness.statements import asked

CROWD = 60
ALONE = 29
"""Statements, beside those that write the log, of one who comes alone."""


async def come(running_server: RunningServer) -> tuple[Person, str]:
    """Somebody begins as a guest, looks at the day and begins a deal; the first page offers to go on with it."""
    person = await running_server.guest()
    await person.get("/dailies/today")
    game = await person.enter()
    _, home = await person.get("/home")
    assert [one["game"] for one in home["unfinished"]] == [game]
    return person, game


@pytest.mark.both_databases
async def test_those_who_come_together_ask_together_and_each_gets_their_own_game(running_server: RunningServer) -> None:
    await come(running_server)
    with asked(running_server.server.database) as alone:
        await come(running_server)
    assert ALONE / 2 < len(alone) <= ALONE
    with asked(running_server.server.database) as together:
        came = await asyncio.gather(*(come(running_server) for _ in range(CROWD)))
    assert len(together) < CROWD * len(alone) / 8
    assert len({person.id for person, _ in came}) == len({game for _, game in came}) == CROWD
    for person, game in came:
        _, day = await person.get("/dailies/today")
        assert day["deals"][0]["your_game"] == game


async def test_only_a_crowd_waits_for_others(running_server: RunningServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much one person's page asks for at once, it is the page of one person, and waits for nobody."""
    waited: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float, *result: Any) -> Any:
        waited.extend([seconds] * (seconds == PAUSE_SECONDS))
        return await sleep(seconds, *result)

    monkeypatch.setattr(asyncio, "sleep", note)
    person = await running_server.guest()
    games = {await person.enter(slot=slot) for slot in (1, 2, 3)}
    _, home = await person.get("/home")
    assert {one["game"] for one in home["unfinished"]} == games
    for path in (f"/players/{person.id}", "/dailies", "/dailies/today", "/boards/all"):
        assert (await person.get(path))[0] == 200
    assert waited == []
    await asyncio.gather(*(come(running_server) for _ in range(CROWD)))
    assert waited
