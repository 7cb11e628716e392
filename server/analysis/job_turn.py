"""One turn of a job: an analyst searches for some seconds, stores what it finds, and ends the job or puts it back."""

import asyncio
import concurrent.futures
import time
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TypeVar

from engine.game import Game
from engine.solver import shorten, solve
from engine.solver.solution import Verdict
from engine.state import State
from server.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from server.analysis.jobs import HOLD_SECONDS, AnalysisJobs, Job
from server.analysis.run_search import CHOICE_NODES, NODES, RunSearch

TURN_SECONDS = 3.0
"""After so many seconds the job is put back, so that others have their turn; the search under way is ended first."""
STORE_SECONDS = 1.0
"""What was found is stored at most once in so many seconds."""
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
        self._store_at = time.monotonic() + STORE_SECONDS

    async def work(self) -> None:
        """Search until the turn is over or the job is done. Raises JobTaken."""
        try:
            while await self._search_next():
                if time.monotonic() >= self._store_at:
                    await self._store()
        except _TurnOver:
            await self._positions.put(self._decided)
            await self._jobs.put_back(self._job, self._search.findings)
        else:
            await self._positions.put(self._decided)
            await self._jobs.finish(self._job, self._search.findings)

    async def _search_next(self) -> bool:
        """Search the next position, or what follows from its moves. Returns False if there is nothing left."""
        if (position := self._search.next_position()) is not None:
            state = self._search.states[position]
            self._search.learn(position, await self._decide(state, NODES, SHORTEN_NODES))
        elif (position := self._search.next_choices()) is not None:
            await self._count_choices(position)
        else:
            return False
        return True

    async def _count_choices(self, position: int) -> None:
        verdicts, nodes = list[Verdict](), 0
        for state, verdict in self._search.choices(position):
            if verdict is None:
                decided = await self._decide(state, CHOICE_NODES)
                verdict, nodes = decided.verdict, nodes + decided.nodes
            verdicts.append(verdict)
        self._search.count(position, verdicts, nodes)

    async def _decide(self, state: State, nodes: int, shorten_nodes: int = 0) -> DecidedPosition:
        """Return what is known of a position, or search it. Raises _TurnOver or JobTaken."""
        rules, seed = self._search.rules, self._search.seed
        key = position_key(rules, seed, state)
        known = self._decided.get(key) or (await self._positions.get([key])).get(key)
        if known is None or not known.answers(nodes):
            known = await self._in_thread(partial(decide, rules, state, seed, nodes, shorten_nodes))
            self._decided[key] = known
        return known

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
        self._store_at = time.monotonic() + STORE_SECONDS


def decide(rules: Game, state: State, seed: bytes, nodes: int, shorten_nodes: int) -> DecidedPosition:
    """Search a position with so many nodes, and make the line shorter that wins it."""
    found = solve(rules, state, seed, nodes)
    line = found.line
    if line and shorten_nodes:
        line = shorten(rules, state, seed, line, shorten_nodes)
    return DecidedPosition(found.verdict, found.nodes, tuple(move.text for move in line))


def _start_thread(search: Callable[[], Result]) -> asyncio.Future[Result]:
    """Start a search in a thread that the end of the process does not wait for."""
    finding = concurrent.futures.Future[Result]()

    def run() -> None:
        try:
            finding.set_result(search())
        except Exception as error:
            finding.set_exception(error)

    Thread(target=run, daemon=True).start()
    return asyncio.wrap_future(finding)
