"""One turn of a job: an analyst searches for some seconds, stores what it finds, and ends the job or puts it back."""

import asyncio
import concurrent.futures
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread

from cadogan.engine.game import Game
from cadogan.engine.solver import Steps, shorten_in_steps, solve_in_steps
from cadogan.engine.state import State
from cadogan.server.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from cadogan.server.analysis.findings import Findings
from cadogan.server.analysis.jobs import HOLD_SECONDS, AnalysisJobs, Job
from cadogan.server.analysis.run_search import CHOICE_NODES, NODES, RunSearch

TURN_SECONDS = 3.0
"""Seconds after which the job is put back for other jobs to run, once the current search has ended. Findings are stored
then and during long searches; on SQLite each such write blocks moves."""
PAUSE_SECONDS = HOLD_SECONDS / 3
"""Seconds after which a search pauses, to renew the lease of the job."""
LATE_SECONDS = 2 * PAUSE_SECONDS
"""Seconds after which the lease is renewed without a pause, because on a busy machine a search may not reach it."""
NICENESS = 19
"""The niceness of a searching thread."""
SHORTEN_NODES = 2_000
"""The node limit for shortening the winning line of a position of a run."""


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
        if (position := self._search.next_position()) is not None:
            found = await self._decide([self._search.states[position]], NODES, SHORTEN_NODES)
            self._search.learn(position, found[0])
        elif (position := self._search.next_choices()) is not None:
            choices = self._search.choices(position)
            verdicts = [verdict for _, verdict in choices if verdict is not None]
            found = await self._decide([state for state, verdict in choices if verdict is None], CHOICE_NODES)
            verdicts += [one.verdict for one in found]
            self._search.count(position, verdicts, sum(one.nodes for one in found))
        else:
            return False
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
                part = part or _start_thread(search, self._stopping)
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


def decide_in_steps(rules: Game, state: State, seed: bytes, nodes: int, shorten_nodes: int) -> Steps[DecidedPosition]:
    """Search a position within `nodes`, and shorten a winning line within `shorten_nodes`."""
    found = yield from solve_in_steps(rules, state, seed, nodes)
    line = found.line
    if line and shorten_nodes:
        line = yield from shorten_in_steps(rules, state, seed, line, shorten_nodes)
    return DecidedPosition(found.verdict, found.nodes, tuple(move.text for move in line))


def _start_thread(search: Steps[DecidedPosition], stopping: asyncio.Event) -> asyncio.Future[DecidedPosition | None]:
    """Run a search in a daemon thread.

    The result is None if the search pauses: after `PAUSE_SECONDS`, or when the analyst must stop. The thread has the
    lowest priority on the machine; on Linux this does not affect other threads of the process.
    """
    part = concurrent.futures.Future[DecidedPosition | None]()

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
