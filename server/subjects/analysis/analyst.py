"""An analyst: claims jobs, searches each for some seconds, and stores what it finds.

An analyst: claims jobs from the queue, works on each for some seconds, and stores its findings.

It runs in a process of its own (`cadogan analyst`), because a search keeps the interpreter busy. It may be killed at
any time: its verdicts are stored, and another analyst continues from them.

The order in which an analyst searches the positions of one run, and when it stops.

First the verdicts: `RunAnalysis` chooses the most informative position. Then the moves from the position before each
loss, then those from all other won positions, the last one first. The order depends on the run and on the nodes of each
search, not on time, so that every analyst has the same findings.
"""

import asyncio
import concurrent.futures
import os
import time
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import suppress
from functools import cached_property
from threading import Thread

import structlog

from cadogan.engine.compiled.choice import solve_in_steps
from cadogan.engine.game import Game
from cadogan.engine.solver import RunAnalysis, Steps, shorten_in_steps
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import State
from cadogan.server.core import ids
from cadogan.server.core.clock import now
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.outbox import Answer, Destination, Outbox, Queue, make_rounds
from cadogan.server.subjects.analysis.decided_positions import DecidedPosition, DecidedPositions, position_key
from cadogan.server.subjects.analysis.findings import (
    CountedChoices,
    Findings,
    Run,
    SearchedPosition,
    analysis_of,
    learn,
    read_run,
)
from cadogan.server.subjects.analysis.jobs import HOLD_SECONDS, WHOLE_GAME, AnalysisJobs, Job

log = structlog.stdlib.get_logger("cadogan.analyst")
POLL_SECONDS = 1.0
"""Seconds between two looks at an empty queue."""


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


NODES = 10_000
"""The node limit for the verdict on one position."""
CHOICE_NODES = 2_000
"""The node limit for the verdict on the position after one move."""
MAX_UNDECIDED_SEARCHES = 12
"""Searches without a verdict after which no more positions of a run are searched."""
MAX_NODES = 200_000
"""Total nodes after which the search of a run stops."""
MAX_CHOICES = 60
"""The moves of a position with more legal moves than this are not searched."""


class RunSearch:
    """The state of the search of one run, or of its last position only."""

    def __init__(self, run: Run, version: int, findings: Findings) -> None:
        """Continue from these findings. `version` is the job's: `WHOLE_GAME`, or another for the last position."""
        self._is_question = version != WHOLE_GAME
        self._run = run
        self.findings = findings
        self.analysis = analysis_of(run.rules, [] if self._is_question else run.played, findings)
        self._counted = {counted.position for counted in findings.choices}

    @property
    def rules(self) -> Game:
        """The rules of the game."""
        return self._run.rules

    @property
    def seed(self) -> bytes:
        """The seed of the deal, of 32 bytes."""
        return self._run.seed

    @cached_property
    def states(self) -> list[State]:
        """The state of each position of the analysis. Raises EngineError if the present rules forbid a move."""
        path = RunAnalysis(self._run.played)
        states = [self._run.deal]
        for before, move in zip(path.parents[1:], path.moves[1:], strict=True):
            assert before is not None
            assert move is not None
            states.append(self.rules.play(states[before], move, self.seed).state)
        return [states[path.path[-1]]] if self._is_question else states

    def next_position(self) -> int | None:
        """Return the number of the position to search for a verdict next, or None."""
        unknown = sum(one.verdict == "unknown" for one in self.findings.searched)
        return self.analysis.next_position() if unknown < MAX_UNDECIDED_SEARCHES and self._may_search else None

    def next_choices(self) -> int | None:
        """Return the number of the position whose legal moves to search next, or None."""
        if self._is_question or not self._may_search:
            return None
        before_losses = [self.analysis.parents[lost] for lost in self.analysis.losing_positions()]
        won = [n for n, verdict in enumerate(self.analysis.verdicts) if verdict == "won"]
        for position in (*before_losses, *reversed(won)):
            assert position is not None
            if position not in self._counted and self._has_choices(position):
                return position
        return None

    def choices(self, position: int) -> list[tuple[State, Verdict | None]]:
        """Return the position after each legal move, with its verdict if it is a position of the run."""
        run, state = self.analysis, self.states[position]
        played = {run.moves[n]: run.verdicts[n] for n, before in enumerate(run.parents) if before == position}
        return [
            (self.rules.play_legal(state, move, self.seed).state, played.get(move))
            for move in self.rules.legal_moves(state)
        ]

    def learn(self, position: int, found: DecidedPosition) -> None:
        """Record the verdict on a position."""
        searched = SearchedPosition(position, found.verdict, found.nodes, found.line)
        self.findings = Findings((*self.findings.searched, searched), self.findings.choices)
        learn(self.rules, self.analysis, searched)

    def count(self, position: int, verdicts: Sequence[Verdict], nodes: int) -> None:
        """Record the verdicts on the positions after each legal move of a position, and the searched nodes."""
        counts = Counter(verdicts)
        counted = CountedChoices(position, counts["won"], counts["lost"], counts["unknown"], nodes)
        self.findings = Findings(self.findings.searched, (*self.findings.choices, counted))
        self._counted.add(position)

    @property
    def _may_search(self) -> bool:
        return self.findings.nodes < MAX_NODES

    def _has_choices(self, position: int) -> bool:
        state = self.states[position]
        return not self.rules.won(state) and len(self.rules.legal_moves(state)) <= MAX_CHOICES


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
