"""An analyst that works next to a running server, in the test's process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from unittest.mock import patch

from cadogan.server.app import Server
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.subjects.analysis import analyst as job_turn
from cadogan.server.subjects.analysis.analyst import Analyst
from cadogan.server.subjects.analysis.decided_positions import DecidedPositions
from cadogan.server.subjects.analysis.jobs import AnalysisJobs
from cadogan.server.subjects.known_rules import known_rules


@asynccontextmanager
async def analyst_at_work(server: Server) -> AsyncIterator[None]:
    """Run an analyst on the requested analyses, until the end of the context."""
    reader = GameReader(server.store, server.deals, known_rules())
    jobs, positions = AnalysisJobs(server.database, server.now), DecidedPositions(server.database, server.now)
    analyst = Analyst(jobs, positions, reader, server.admin.analysts)
    async with at_work(analyst):
        yield


@asynccontextmanager
async def at_work(analyst: Analyst) -> AsyncIterator[None]:
    """Run an analyst until the end of the context, at normal priority, because the test waits for it."""
    with patch.object(job_turn, "lower_priority", lambda: None):
        working = asyncio.create_task(analyst.work())
        yield
        analyst.stop()
        await working
