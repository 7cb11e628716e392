"""A real game that became unwinnable, in a database: the input of the analysts' tests."""

import asyncio
from functools import cache

from sqlalchemy import insert

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import deals
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness.commit_reveal import commitment
from cadogan.server.core.games.game_state import Step
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs, JobState, Watching
from tests.harness import game_steps
from tests.harness.game_steps import GAME, SECRET, START
from tests.harness.patience import long


@cache
def lost_game() -> tuple[Step, ...]:
    """Return the steps of a Salic Law, played at random with moves taken back, and resigned long after it was lost."""
    steps = game_steps.at_random("salic-law", 0, 215)
    return (*steps, *game_steps.resign(steps[-1].after))


async def store_lost_game(database: Database) -> str:
    """Store the lost game; return its id."""
    async with database.writing() as connection:
        row = {"id": "deal", "game": "salic-law", "secret": SECRET.hex(), "commitment": commitment(SECRET)}
        await connection.execute(insert(deals).values(created_at=START, **row))
    store = SqlStore(database)
    events = [step.sealed for step in lost_game()]
    await store.append(Append(game_stream(GAME), None, tuple(one for one in events if isinstance(one, NewEvent))))
    await store.close()
    return GAME


async def wait_for_work(jobs: AnalysisJobs) -> None:
    """Wait until an analyst works on the lost game."""
    begun = asyncio.Event()

    async def on_change(_: str, __: int, state: JobState) -> None:
        if state.state == "working":
            begun.set()

    watching = Watching(jobs, on_change)
    watching.watch(GAME, WHOLE_GAME)
    async with asyncio.timeout(long()):
        await begun.wait()
    await watching.close()


async def wait_for_findings(jobs: AnalysisJobs, count: int) -> None:
    """Wait until an analyst has stored `count` searched positions of the lost game."""
    enough = asyncio.Event()

    async def on_change(_: str, __: int, state: JobState) -> None:
        if len(state.findings.searched) >= count:
            enough.set()

    watching = Watching(jobs, on_change)
    watching.watch(GAME, WHOLE_GAME)
    async with asyncio.timeout(long()):
        await enough.wait()
    await watching.close()
