"""A database after two days of play, with rows in every table and every type of stream."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition
from cadogan.server.subjects.analysis.findings import Findings, SearchedPosition
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME
from tests.harness.daily_actions import close_day, play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.race_actions import get_race, let_race_start, make_race
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server


@pytest.fixture(scope="session")
def lived_template(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """An SQLite file with two days of play, to be copied."""
    path = tmp_path_factory.mktemp("lived") / "lived.db"
    path.write_bytes(sqlite_template.read_bytes())

    async def live() -> None:
        async with lived_in(f"sqlite:///{path}"):
            pass

    asyncio.run(live())
    return path


@asynccontextmanager
async def lived_in(url: str) -> AsyncIterator[RunningServer]:
    """Run a server whose first day has closed; a casual game and a daily run are in progress."""
    async with open_server(replace(TEST_SETTINGS, database_url=url)) as running_server:
        ann, bob = await running_server.guest(), await running_server.guest()
        await _company(ann, bob)
        watched = await ann.enter()
        await play_and_resign(bob, await bob.enter(), moves=3)
        await bob.get(f"/games/{watched}")
        await ann.post("/dailies/today/deals/2/spoil")
        ended = await ann.deal()
        await play_and_resign(ann, ended, moves=5)
        await _analyse(running_server, ended, ann)
        race = await make_race(ann, bob, seconds=60)
        await let_race_start(running_server, ann, race)
        running_server.clock.at += 120_000
        assert (await get_race(ann, race))["state"] == "over"
        await close_day(running_server)
        await StoredCertificates(running_server.server.database).add("2026-11-29.1", None, running_server.clock.at)
        running_server.clock.at += MILLISECONDS_PER_DAY
        await go_on(running_server, ann)
        await log_ends(running_server.server)
        yield running_server


async def go_on(running_server: RunningServer, person: Person) -> None:
    """Begin a casual game and the open day's game, and play in them."""
    for game in (await person.deal(), await person.enter()):
        async with person.connect() as socket:
            await socket.play(await socket.request("subscribe", game=game))


async def _company(ann: Person, bob: Person) -> None:
    for person, name in ((ann, "Ann Éva"), (bob, "Bob")):
        assert (await person.post("/account", {"name": name, "password": "eight red queens"}))[0] == 200
    assert (await ann.ask("PUT", "/friends/Bob"))[0] == 200
    assert (await ann.post("/groups", {"name": "The snug"}))[0] == 200
    assert (await ann.post("/bots", {"name": "Ann's machine"}))[0] == 200
    assert (await ann.post("/tokens", {"name": "A script", "scopes": ["read"], "days": 30}))[0] == 200
    async with ann.session.put(f"{ann.url}/api/v1/settings", json={"theme": "dark"}, headers=ann.headers) as stored:
        assert stored.status == 200, await stored.text()


async def _analyse(running_server: RunningServer, game: str, person: Person) -> None:
    """Store an analysis of the game, with one decided position."""
    jobs, positions = running_server.server.analysis_jobs, running_server.server.decided_positions
    await jobs.ask(game, WHOLE_GAME, person.id)
    job = await jobs.claim("analyst")
    assert job is not None
    await positions.put({"0" * 64: DecidedPosition("won", 2, ("deal", "tableau.0/foundation.0"))})
    await jobs.finish(job, Findings((SearchedPosition(0, "won", 2, ("deal", "tableau.0/foundation.0")),)))
