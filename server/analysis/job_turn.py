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
from cadogan.server.analysis.jobs import HOLD_SECONDS, AnalysisJobs, Job
from cadogan.server.analysis.run_search import CHOICE_NODES, NODES, RunSearch

TURN_SECONDS = 3.0
"""After so many seconds the job is put back, so that others have their turn; the search under way is ended first. What
was found is stored then, and during long searches: on SQLite, each time moves have to wait for it."""
PAUSE_SECONDS = HOLD_SECONDS / 3
"""After so many seconds a search pauses, so that the job is held for longer."""
LATE_SECONDS = 2 * PAUSE_SECONDS
"""After so many seconds the job is held for longer even so: on a full machine a search may not come to its pause."""
NICENESS = 19
"""Of a thread that searches."""
SHORTEN_NODES = 2_000
"""Nodes for making the line shorter that wins a position of a run."""


class JobTaken(Exception):
    """The job belongs to another analyst now."""


class _TurnOver(Exception):
    """The time of the turn is over, or the analyst is to stop."""


class JobTurn:
    """One turn of one job. When `stopping` is set, it ends at once, without the search that is under way."""

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

    async def work(self) -> None:
        """Search until the turn is over or the job is done. Raises JobTaken."""
        try:
            while await self._search_next():
                pass
        except _TurnOver:
            await self._positions.put(self._decided)
            await self._jobs.put_back(self._job, self._search.findings)
        else:
            await self._positions.put(self._decided)
            await self._jobs.finish(self._job, self._search.findings)

    async def _search_next(self) -> bool:
        """Search the next position, or what follows from its moves. Returns False if there is nothing left."""
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
        """Return what is known of these positions, and search the others. Raises _TurnOver or JobTaken."""
        rules, seed = self._search.rules, self._search.seed
        keys = [position_key(rules, seed, state) for state in states]
        found = {**await self._positions.get(keys), **self._decided}
        for key, state in zip(keys, states, strict=True):
            if key not in found or not found[key].answers(nodes):
                found[key] = await self._run(decide_in_steps(rules, state, seed, nodes, shorten_nodes))
                self._decided[key] = found[key]
        return [found[key] for key in keys]

    async def _run(self, search: Steps[DecidedPosition]) -> DecidedPosition:
        """Return what a search finds, and hold the job meanwhile. Raises _TurnOver or JobTaken.

        The search pauses while the job is stored. On a full machine its thread hardly ever runs, and while it has the
        interpreter, no other thread of the process goes on: a transaction would hold the lock of an SQLite file for
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
        """Store what was found, and hold the job for longer. Raises JobTaken."""
        await self._positions.put(self._decided)
        self._decided.clear()
        if not await self._jobs.keep(self._job, self._search.findings):
            raise JobTaken


def decide_in_steps(rules: Game, state: State, seed: bytes, nodes: int, shorten_nodes: int) -> Steps[DecidedPosition]:
    """Search a position with so many nodes, and make the line shorter that wins it."""
    found = yield from solve_in_steps(rules, state, seed, nodes)
    line = found.line
    if line and shorten_nodes:
        line = yield from shorten_in_steps(rules, state, seed, line, shorten_nodes)
    return DecidedPosition(found.verdict, found.nodes, tuple(move.text for move in line))


def _start_thread(search: Steps[DecidedPosition], stopping: asyncio.Event) -> asyncio.Future[DecidedPosition | None]:
    """Let a search go on in a thread that the end of the process does not wait for.

    The result is None if it pauses: after `PAUSE_SECONDS`, or when the analyst is to stop. The thread yields to
    everything else on the machine; on Linux the others of the process do not.
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
    """Let this thread run only while nothing else wants to; where the system cannot do that, as little as possible."""
    os.nice(NICENESS)
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
