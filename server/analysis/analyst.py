"""An analyst: claims jobs from the queue, works on each for some seconds, and stores its findings.

It runs in a process of its own (`cadogan analyst`), because a search keeps the interpreter busy. It may be killed at
any time: its verdicts are stored, and another analyst continues from them.
"""

import asyncio
from collections.abc import Collection, Sequence

import structlog

from cadogan.server.analysis.decided_positions import DecidedPositions
from cadogan.server.analysis.job_turn import JobTaken, JobTurn
from cadogan.server.analysis.jobs import WHOLE_GAME, AnalysisJobs, Job
from cadogan.server.analysis.run import read_run
from cadogan.server.analysis.run_search import RunSearch
from cadogan.server.core import ids
from cadogan.server.core.clock import now
from cadogan.server.games.game_reader import GameReader
from cadogan.server.outbox.outbox import Answer, Destination, Outbox, Queue
from cadogan.server.outbox.periodic import make_rounds

POLL_SECONDS = 1.0
"""Seconds between two looks at an empty queue."""

log = structlog.stdlib.get_logger("cadogan.analyst")


class Analyst(Queue[Job]):
    """One analyst: a destination of the outbox, which works on one job at a time until it is stopped."""

    def __init__(self, jobs: AnalysisJobs, positions: DecidedPositions, reader: GameReader) -> None:
        self._jobs = jobs
        self._positions = positions
        self._reader = reader
        self._name = ids.new_id()
        self._stopping = asyncio.Event()
        self._free = asyncio.Event()
        self.outbox = Outbox(self, self._free.set)

    def stop(self) -> None:
        """Make `work` return soon. The running search is cancelled, and the job goes back into the queue."""
        self._stopping.set()

    async def work(self) -> None:
        """Work until `stop` is called."""
        self._free.set()
        start, clear, free = self.outbox.start_due, self._erase_old, self._free
        await make_rounds("analyses", start, clear, now, free, self._stopping, POLL_SECONDS)
        await self.outbox.close()

    async def due(self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        """Return this analyst, if a job waits. As one that is not proven, it gets one job at a time."""
        free = not proven and self._name not in busy and await self._jobs.is_waiting()
        return [Destination(self._name, is_proven=False)] if free else []

    async def claim(self, destination: str, most: int) -> list[Job]:
        """Take the next job."""
        job = await self._jobs.claim(destination)
        return [] if job is None else [job]

    async def send(self, item: Job, is_proven: bool, stopping: asyncio.Event | None) -> Answer | None:
        """Work on a job for one turn."""
        try:
            run = await read_run(self._reader, item.game, None if item.version == WHOLE_GAME else item.version)
            search = RunSearch(run, item.version, item.findings)
            return Answer(result=await JobTurn(self._jobs, self._positions, item, search, self._stopping).work())
        except JobTaken:
            log.warning("analysis_taken", game=item.game, version=item.version)
            return None
        except Exception as error:  # the message of an error may name cards
            log.error("analysis_failed", game=item.game, version=item.version, reason=type(error).__name__)
            return Answer(problem="failed")

    async def record(self, answered: Sequence[tuple[Job, Answer]]) -> None:
        """Store what was found: the job is done, waits for its next turn, or has failed."""
        for job, answer in answered:
            findings, is_done = answer.result or (job.findings, True)
            if answer.problem is not None:
                await self._jobs.fail(job)
            elif is_done:
                await self._jobs.finish(job, findings)
            else:
                await self._jobs.put_back(job, findings)

    async def _erase_old(self) -> None:
        await self._jobs.erase_old()
        await self._positions.erase_old()
