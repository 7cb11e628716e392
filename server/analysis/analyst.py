"""An analyst: it takes jobs from the queue, works on each for some seconds, and stores all that it finds.

It belongs in a process of its own (`cadogan analyst`), because a search keeps the interpreter busy. It may be killed at
any time: what was decided is stored, and another analyst goes on from there.
"""

import asyncio
import time
from contextlib import suppress

import structlog

from cadogan.server.analysis.decided_positions import DecidedPositions
from cadogan.server.analysis.job_turn import JobTaken, JobTurn
from cadogan.server.analysis.jobs import WHOLE_GAME, AnalysisJobs, Job
from cadogan.server.analysis.run import read_run
from cadogan.server.analysis.run_search import RunSearch
from cadogan.server.core import ids
from cadogan.server.games.game_reader import GameReader

POLL_SECONDS = 1.0
"""Seconds between two looks at an empty queue."""
ERASE_SECONDS = 3600.0
"""Seconds between two times that old answers and positions are erased."""

log = structlog.stdlib.get_logger("cadogan.analyst")


class Analyst:
    """One analyst, which works on one job at a time until it is stopped."""

    def __init__(self, jobs: AnalysisJobs, positions: DecidedPositions, reader: GameReader) -> None:
        self._jobs = jobs
        self._positions = positions
        self._reader = reader
        self._name = ids.new_id()
        self._stopping = asyncio.Event()

    def stop(self) -> None:
        """Let `work` end soon. The job goes back into the queue, and the search that is under way is given up."""
        self._stopping.set()

    async def work(self) -> None:
        """Work until `stop` is called. Raises what the driver raises when the database does not answer."""
        erase_at = 0.0
        while not self._stopping.is_set():
            if time.monotonic() >= erase_at:
                await self._jobs.erase_old()
                await self._positions.erase_old()
                erase_at = time.monotonic() + ERASE_SECONDS
            if not await self.analyse_next():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), POLL_SECONDS)

    async def analyse_next(self) -> bool:
        """Work on the next job for one turn. Returns False if there is none."""
        job = await self._jobs.claim(self._name)
        if job is None:
            return False
        try:
            turn = await self._turn(job)
            await turn.work()
        except JobTaken:
            log.warning("analysis_taken", game=job.game, version=job.version)
        except Exception as error:  # the message of an error may name cards
            log.error("analysis_failed", game=job.game, version=job.version, reason=type(error).__name__)
            await self._jobs.fail(job)
        return True

    async def _turn(self, job: Job) -> JobTurn:
        run = await read_run(self._reader, job.game, None if job.version == WHOLE_GAME else job.version)
        search = RunSearch(run, job.version, job.findings)
        return JobTurn(self._jobs, self._positions, job, search, self._stopping)
