"""One turn of a job: an analyst searches for some seconds, stores what it finds, and ends the job or puts it back."""

import asyncio
import concurrent.futures
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import TypeVar

from engine.game import Game
from engine.solver import shorten, solve
from engine.state import State
from server.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from server.analysis.jobs import HOLD_SECONDS, AnalysisJobs, Job
from server.analysis.run_search import CHOICE_NODES, NODES, RunSearch

TURN_SECONDS = 3.0
"""After so many seconds the job is put back, so that others have their turn; the search under way is ended first. What
was found is stored then, and during long searches: on SQLite, each time moves have to wait for it."""
NICENESS = 19
"""Of a thread that searches."""
SHORTEN_NODES = 2_000
"""Nodes for making the line shorter that wins a position of a run."""

Result = TypeVar("Result")


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
                found[key] = await self._in_thread(partial(decide, rules, state, seed, nodes, shorten_nodes))
                self._decided[key] = found[key]
        return [found[key] for key in keys]

    async def _in_thread(self, search: Callable[[], Result]) -> Result:
        """Return what a search finds, and hold the job meanwhile. Raises _TurnOver or JobTaken."""
        if time.monotonic() >= self._ends_at or self._stopping.is_set():
            raise _TurnOver
        finding = _start_thread(search)
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while not finding.done():
                await asyncio.wait((finding, stopping), timeout=HOLD_SECONDS / 3, return_when="FIRST_COMPLETED")
                if stopping.done():
                    raise _TurnOver
                if not finding.done():
                    await self._store()
        finally:
            stopping.cancel()
        return finding.result()

    async def _store(self) -> None:
        """Store what was found, and hold the job for longer. Raises JobTaken."""
        await self._positions.put(self._decided)
        self._decided.clear()
        if not await self._jobs.keep(self._job, self._search.findings):
            raise JobTaken


def decide(rules: Game, state: State, seed: bytes, nodes: int, shorten_nodes: int) -> DecidedPosition:
    """Search a position with so many nodes, and make the line shorter that wins it."""
    found = solve(rules, state, seed, nodes)
    line = found.line
    if line and shorten_nodes:
        line = shorten(rules, state, seed, line, shorten_nodes)
    return DecidedPosition(found.verdict, found.nodes, tuple(move.text for move in line))


def _start_thread(search: Callable[[], Result]) -> asyncio.Future[Result]:
    """Start a search in a thread that the end of the process does not wait for.

    The thread yields to everything else on the machine. On Linux the others of the process do not: one that is to write
    must not be kept waiting while it holds the lock of an SQLite file.
    """
    finding = concurrent.futures.Future[Result]()

    def run() -> None:
        _yield_to_others()
        try:
            finding.set_result(search())
        except Exception as error:
            finding.set_exception(error)

    Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(finding)


def _yield_to_others() -> None:
    """Let this thread run only while nothing else wants to; where the system cannot do that, as little as possible."""
    os.nice(NICENESS)
    with suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
