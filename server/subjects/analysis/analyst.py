"""An analyst: claims jobs from the queue, works on each for some seconds, and stores its findings.

It runs in a process of its own (`cadogan analyst`), because a search keeps the interpreter busy. It may be killed at
any time: its verdicts are stored, and another analyst continues from them.

An analyst of the server also checks what players have found on their own machines
(`cadogan.server.subjects.analysis.contributions`).
"""

import asyncio
import concurrent.futures
import os
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from threading import Thread
from typing import TypeVar

import structlog

from cadogan.engine.solver import Steps
from cadogan.engine.state import State
from cadogan.server.core import ids
from cadogan.server.core.clock import now
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.outbox import Answer, Destination, Outbox, Queue, run_periodically
from cadogan.server.subjects.analysis.contributions import Contribution, Contributions
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from cadogan.server.subjects.analysis.findings import Findings, read_run
from cadogan.server.subjects.analysis.jobs import LEASE_SECONDS, WHOLE_GAME, AnalysisJobs, Job
from cadogan.server.subjects.analysis.lent_search import contradict_in_steps
from cadogan.server.subjects.analysis.run_search import SHORTEN_NODES, RunSearch, decide_in_steps

log = structlog.stdlib.get_logger("cadogan.analyst")
Found = TypeVar("Found")
POLL_SECONDS = 0.25
"""Seconds between two looks at an empty queue."""


class Analyst(Queue[Job | Contribution]):
    """One analyst: a destination of the outbox, which works on one job at a time until it is stopped.

    With `contributions` it also checks those of players, one after each job.
    """

    def __init__(
        self,
        jobs: AnalysisJobs,
        positions: DecidedPositions,
        reader: GameReader,
        contributions: Contributions | None = None,
    ) -> None:
        self._jobs = jobs
        self._positions = positions
        self._reader = reader
        self._contributions = contributions
        self._has_checked = False
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
        await run_periodically("analyses", start, clear, now, free, self._stopping, POLL_SECONDS)
        await self.outbox.close()

    async def due(self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        """Return this analyst, if a job or a check waits. As one that is not proven, it gets one at a time."""
        free = not proven and self._name not in busy and await self._is_wanted()
        return [Destination(self._name, is_proven=False)] if free else []

    async def claim(self, destination: str, most: int) -> list[Job | Contribution]:
        """Take the next check or job, by turns."""
        check = None
        if self._contributions is not None and not self._has_checked:
            check = await self._contributions.claim_check()
        self._has_checked = check is not None
        job = check or await self._jobs.claim(destination)
        return [] if job is None else [job]

    async def send(self, item: Job | Contribution, is_proven: bool, stopping: asyncio.Event | None) -> Answer | None:
        """Work on a job for one turn, or check what a player has found."""
        try:
            if isinstance(item, Contribution):
                return await self._check(item)
            run = await read_run(self._reader, item.game, None if item.version == WHOLE_GAME else item.version)
            search = RunSearch(run, item.version, item.findings)
            return Answer(result=await JobTurn(self._jobs, self._positions, item, search, self._stopping).work())
        except JobTaken:
            log.warning("analysis_taken", game=item.game)
            return None
        except Exception as error:  # the message of an error may name cards
            log.error("analysis_failed", game=item.game, reason=type(error).__name__)
            return Answer(problem="failed")

    async def record(self, answered: Sequence[tuple[Job | Contribution, Answer]]) -> None:
        """Store what was found: the job is done, waits for its next turn, or has failed."""
        for job, answer in answered:
            if isinstance(job, Contribution):
                await self._record_check(job, answer)
                continue
            findings, is_done = answer.result or (job.findings, True)
            if answer.problem is not None:
                await self._jobs.fail(job)
            elif is_done:
                await self._jobs.finish(job, findings)
            else:
                await self._jobs.put_back(job, findings)

    async def _is_wanted(self) -> bool:
        return await self._jobs.is_waiting() or (
            self._contributions is not None and await self._contributions.is_check_waiting()
        )

    async def _check(self, item: Contribution) -> Answer | None:
        """Search the chosen claims again; the result is whether one of them is wrong."""
        run = await read_run(self._reader, item.game)
        for claim in item.claims.chosen:
            search, is_wrong = contradict_in_steps(run.rules, run.seed, claim), None
            while is_wrong is None:
                if self._stopping.is_set():
                    return None
                is_wrong = await search_in_thread(search, self._stopping)
            if is_wrong:
                return Answer(result=True)
        return Answer(result=False)

    async def _record_check(self, checked: Contribution, answer: Answer) -> None:
        assert self._contributions is not None
        if answer.problem is None and answer.result:
            await self._contributions.drop(checked)
        else:
            await self._contributions.end_check(checked, passed=answer.problem is None)

    async def _erase_old(self) -> None:
        await self._jobs.erase_old()
        await self._positions.erase_old()
        if self._contributions is not None:
            await self._contributions.erase_old()


TURN_SECONDS = 3.0
"""Seconds after which the job is put back for other jobs to run, once the current search has ended. Findings are stored
then and during long searches; on SQLite each such write blocks moves."""
PAUSE_SECONDS = LEASE_SECONDS / 3
"""Seconds after which a search pauses, to renew the lease of the job."""
LATE_SECONDS = 2 * PAUSE_SECONDS
"""Seconds after which the lease is renewed without a pause, because on a busy machine a search may not reach it."""
NICENESS = 19
"""The niceness of a searching thread."""


class JobTaken(Exception):
    """Another analyst has claimed the job."""


class _TurnOver(Exception):
    """The turn has ended, or the analyst must stop."""


class JobTurn:
    """One turn of one job. Once `stopping` is set, it ends at once and discards the running search."""

    def __init__(
        self, jobs: AnalysisJobs, positions: DecidedPositions, job: Job, search: RunSearch, stopping: asyncio.Event
    ) -> None:
        self._jobs = jobs
        self._positions = positions
        self._job = job
        self._search = search
        self._stopping = stopping
        self._decided: dict[str, DecidedPosition] = {}
        self._ends_at = time.monotonic() + TURN_SECONDS

    async def work(self) -> tuple[Findings, bool]:
        """Search until the turn is over, and return all that was found and whether the job is done. Raises JobTaken."""
        is_done = False
        with suppress(_TurnOver):
            while await self._search_next():
                pass
            is_done = True
        await self._positions.put(self._decided)
        return self._search.findings, is_done

    async def _search_next(self) -> bool:
        """Search the next position, or the positions after each of its moves. Returns False if nothing is left."""
        step = self._search.next_step()
        if step is None:
            return False
        shorten_nodes = SHORTEN_NODES if step.known is None else 0
        self._search.record(step, await self._decide(step.states, step.nodes, shorten_nodes))
        return True

    async def _decide(self, states: Sequence[State], nodes: int, shorten_nodes: int = 0) -> list[DecidedPosition]:
        """Return the verdicts on these positions, searching those not in the cache. Raises _TurnOver or JobTaken."""
        rules, seed = self._search.rules, self._search.seed
        keys = [position_key(rules, seed, state) for state in states]
        found = {**await self._positions.get(keys), **self._decided}
        for key, state in zip(keys, states, strict=True):
            if key not in found or not found[key].answers(nodes):
                found[key] = await self._run(decide_in_steps(rules, state, seed, nodes, shorten_nodes))
                self._decided[key] = found[key]
        return [found[key] for key in keys]

    async def _run(self, search: Steps[DecidedPosition]) -> DecidedPosition:
        """Run a search and return its result, renewing the lease of the job. Raises _TurnOver or JobTaken.

        The search pauses while the job is stored. On a busy machine the search thread has little CPU time, and while it
        holds the GIL, no other thread of the process runs: a transaction would hold the lock of an SQLite file for
        seconds.
        """
        if time.monotonic() >= self._ends_at or self._stopping.is_set():
            raise _TurnOver
        stopping = asyncio.ensure_future(self._stopping.wait())
        part = None
        try:
            while True:
                part = part or search_in_thread(search, self._stopping)
                await asyncio.wait((part, stopping), timeout=LATE_SECONDS, return_when="FIRST_COMPLETED")
                if self._stopping.is_set():
                    raise _TurnOver
                if part.done():
                    if (found := part.result()) is not None:
                        return found
                    part = None
                await self._store()
        finally:
            stopping.cancel()

    async def _store(self) -> None:
        """Store the findings, and renew the lease of the job. Raises JobTaken."""
        await self._positions.put(self._decided)
        self._decided.clear()
        if not await self._jobs.keep(self._job, self._search.findings):
            raise JobTaken


def search_in_thread(search: Steps[Found], stopping: asyncio.Event) -> asyncio.Future[Found | None]:
    """Run a search in a daemon thread, until it ends or pauses.

    The result is None if the search pauses: after `PAUSE_SECONDS`, or when the analyst must stop. The thread has the
    lowest priority on the machine; on Linux this does not affect other threads of the process.
    """
    part = concurrent.futures.Future[Found | None]()

    def run() -> None:
        lower_priority()
        pause_at = time.monotonic() + PAUSE_SECONDS
        try:
            next(search)
            while time.monotonic() < pause_at and not stopping.is_set():
                next(search)
            part.set_result(None)
        except StopIteration as end:
            part.set_result(end.value)
        except Exception as error:
            part.set_exception(error)

    Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(part)


def lower_priority() -> None:
    """Run this thread only when the CPU is idle, or with the lowest priority if the system has no idle class."""
    os.nice(NICENESS)
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
