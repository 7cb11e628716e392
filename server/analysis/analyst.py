"""An analyst: claims jobs from the queue, works on each for some seconds, and stores its findings.

It runs in a process of its own (`cadogan analyst`), because a search keeps the interpreter busy. It may be killed at
any time: its verdicts are stored, and another analyst continues from them.
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
"""Seconds between two polls of an empty queue."""
ERASE_SECONDS = 3600.0
"""Seconds between two deletions of old answers and positions."""

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
        """Make `work` return soon. The running search is cancelled, and the job goes back into the queue."""
        self._stopping.set()

    async def work(self) -> None:
        """Work until `stop` is called. Raises the driver's errors if the database does not answer."""
        erase_at = 0.0
        while not self._stopping.is_set():
            if time.monotonic() >= erase_at:
                await self._jobs.erase_old()
                await self._positions.erase_old()
                erase_at = time.monotonic() + ERASE_SECONDS
            if not await self.work_on_next():
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), POLL_SECONDS)

    async def work_on_next(self) -> bool:
        """Work on the next job for one turn. Returns False if there is none."""
        job = await self._jobs.claim(self._name)
        if job is None:
            return False
        try:
            turn = await self._turn(job)
            await turn.work()
        except JobTaken:
            log.warning("analysis_taken", game=job.game, version=job.version)
        except Exception as error:  # an error message may contain cards
            log.error("analysis_failed", game=job.game, version=job.version, reason=type(error).__name__)
            await self._jobs.fail(job)
        return True

    async def _turn(self, job: Job) -> JobTurn:
        run = await read_run(self._reader, job.game, None if job.version == WHOLE_GAME else job.version)
        search = RunSearch(run, job.version, job.findings)
        return JobTurn(self._jobs, self._positions, job, search, self._stopping)
