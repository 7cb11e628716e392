"""The queue of the analysts: jobs in the database, claimed one at a time, and watched by those who wait for them.

An analyst works on a job for some seconds, puts it back, and claims the next one, so that a long analysis does not
delay other players' jobs. Scheduling is round-robin by person: `turn` counts the turns of a person while they have jobs
in the queue, and is the same for all their unfinished jobs. The job with the smallest turn is next, among equals the
oldest. A person new to the queue begins with the smallest turn in it.

A claim is a lease of `LEASE_SECONDS`, which the analyst renews. If the lease expires, the analyst was killed: this
counts as a failure of the job, and another analyst continues from the stored findings. After `MAX_FAILURES` failures
without a new finding the job ends with the stored findings.

Polling of analysis jobs: a node reads the watched jobs every second while somebody watches any.

The analysts are processes of their own, on any machine, and use only the database, so they cannot push their findings.
A node reads all its watched jobs with one query, or a few if there are many.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import structlog
from sqlalchemy import ColumnElement, Row, and_, case, delete, func, insert, or_, select, true, tuple_, update
from sqlalchemy.exc import IntegrityError

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import lock_person
from cadogan.server.core.database.tables import analyses, players
from cadogan.server.core.errors import TooMany
from cadogan.server.subjects.analysis.findings import Findings

log = structlog.stdlib.get_logger("cadogan.analysis")
WHOLE_GAME = 0
"""The version of a job for a whole finished game. A job with any other version is for the position at that version."""
MAX_WAITING_OF_PERSON = 8
"""Unfinished jobs that one person may have; an owner and their bots are one person."""
MAX_WAITING = 2_000
"""Unfinished jobs that there may be in all."""
MAX_WAITING_FOR_GUESTS = 1_000
"""Unfinished jobs from which on guests are refused, so that guests cannot fill the queue for registered players."""
LEASE_SECONDS = 30
"""Seconds until the lease of a job expires unless it is renewed."""
MAX_FAILURES = 3
"""Failures in a row after which a job ends with its stored findings."""
LENT = "lent "
"""Begins the name of an analyst who works over HTTP, whose lease may end without being a failure of the job."""
ANSWER_RETENTION_MILLISECONDS = 24 * 3600 * 1000
"""Milliseconds for which a finished job for one position is stored. The position stays in `decided_positions`."""
State = Literal["waiting", "working", "done"]
Key = tuple[str, int]
"""The id of the game and the version of the position, `WHOLE_GAME` for all of it."""
_UNFINISHED = and_(analyses.c.done_at.is_(None), analyses.c.solver == SOLVER_VERSION)


class JobState(NamedTuple):
    """The state of a job. `ahead` is the number of unfinished jobs before it; None once it is no longer queued."""

    state: State
    ahead: int | None
    findings: Findings


class Job(NamedTuple):
    """A claimed job, with its stored findings. `failures` counts those since the last finding."""

    game: str
    version: int
    analyst: str
    failures: int
    findings: Findings


class QueueFigures(NamedTuple):
    """The number of queued and of claimed jobs, and the age of the oldest queued job in seconds."""

    waiting: int
    working: int
    oldest_waiting_seconds: float


class AnalysisJobs:
    """The jobs in a database for this version of the solver. Players add jobs, analysts claim them."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def ask(self, game: str, version: int, person: str) -> JobState:
        """Add a job to the queue unless it exists, and return its state.

        `person` is the id of the requesting person: for a bot, its owner. Raises TooMany if the person has too many
        unfinished jobs, or the queue is full.
        """
        if known := await self.get(game, version):
            return known
        with suppress(IntegrityError):  # another request has added it concurrently
            await self._add(game, version, person)
        asked = await self.get(game, version)
        assert asked is not None
        return asked

    async def get(self, game: str, version: int) -> JobState | None:
        """Return the state of a job; None if it does not exist."""
        return (await self.get_all([(game, version)])).get((game, version))

    async def get_all(self, wanted: Collection[Key]) -> dict[Key, JobState]:
        """Return the state of each of these jobs. Those that do not exist are left out."""
        now = self._now()
        order = (case((_is_held(now), 0), else_=1), *_ORDER)
        places = (
            select(analyses.c.game, analyses.c.version, (func.row_number().over(order_by=order) - 1).label("ahead"))
            .where(_UNFINISHED)
            .subquery()
        )
        found = (
            select(analyses, places.c.ahead)
            .outerjoin(places, and_(places.c.game == analyses.c.game, places.c.version == analyses.c.version))
            .where(tuple_(analyses.c.game, analyses.c.version).in_(list(wanted)), analyses.c.solver == SOLVER_VERSION)
        )
        return {(row.game, row.version): _state_of(row, now) for row in await self._database.fetch(found)}

    async def is_waiting(self) -> bool:
        """Return whether a job waits for an analyst."""
        waiting = select(analyses.c.game).where(_UNFINISHED, ~_is_held(self._now())).limit(1)
        return await self._database.fetch_value(waiting) is not None

    async def claim(
        self, analyst: str, only: ColumnElement[bool] | None = None, lease_seconds: int = LEASE_SECONDS
    ) -> Job | None:
        """Claim the next job for an analyst, and increment the turn of its person; None if the queue is empty.

        With `only`, no other jobs are claimed.
        """
        wanted_ones = and_(_UNFINISHED, true() if only is None else only)
        while True:
            now = self._now()
            first = select(analyses).where(wanted_ones, ~_is_held(now)).order_by(*_ORDER).limit(1)
            async with self._database.reading() as connection:  # an idle analyst does not lock out writers
                wanted = (await connection.execute(first)).one_or_none()
            if wanted is None:
                return None
            if (job := await self._take(wanted, analyst, now, lease_seconds)) is not None:
                return job

    async def keep(self, job: Job, findings: Findings) -> bool:
        """Store the findings so far, and renew the lease for another `LEASE_SECONDS`.

        Returns False if the lease was lost; then the analyst must stop.
        """
        return await self._change(job, findings, held_until=self._now() + LEASE_SECONDS * 1000)

    async def put_back(self, job: Job, findings: Findings) -> bool:
        """Store the findings so far, and return the job to the queue. Returns False if the lease was lost."""
        return await self._change(job, findings, analyst=None, held_until=None)

    async def finish(self, job: Job, findings: Findings) -> bool:
        """Store all findings, and end the job; of lent work the analyst stays known.

        Returns False if the lease was lost.
        """
        analyst = job.analyst if job.analyst.startswith(LENT) else None
        return await self._change(job, findings, analyst=analyst, held_until=None, done_at=self._now())

    async def renew(self, job: Job, lease_seconds: int) -> bool:
        """Renew the lease, and store nothing. Returns False if it was lost."""
        return await self._write(job, held_until=self._now() + lease_seconds * 1000)

    async def release(self, job: Job) -> bool:
        """Return the job to the queue as it was. Returns False if the lease was lost."""
        return await self._write(job, analyst=None, held_until=None)

    async def fail(self, job: Job) -> bool:
        """Return the job to the queue for a retry, or end it with the stored findings after too many failures."""
        failures = job.failures + 1
        done_at = self._now() if failures >= MAX_FAILURES else None
        return await self._write(job, analyst=None, held_until=None, failures=failures, done_at=done_at)

    async def count(self) -> QueueFigures:
        """Return the figures of the queue."""
        now = self._now()
        queued = ~_is_held(now)
        figures = select(
            func.count().filter(queued),
            func.count().filter(_is_held(now)),
            func.min(analyses.c.asked_at).filter(queued),
        ).where(_UNFINISHED)
        async with self._database.reading() as connection:
            waiting, working, asked_at = (await connection.execute(figures)).one()
        return QueueFigures(waiting, working, 0.0 if asked_at is None else max(0, now - asked_at) / 1000)

    async def erase_old(self) -> None:
        """Delete old jobs for one position, and the jobs of older versions of the solver."""
        old = and_(analyses.c.version != WHOLE_GAME, analyses.c.done_at < self._now() - ANSWER_RETENTION_MILLISECONDS)
        async with self._database.writing() as connection:
            await connection.execute(delete(analyses).where(or_(old, analyses.c.solver < SOLVER_VERSION)))

    async def _add(self, game: str, version: int, person: str) -> None:
        own = analyses.c.person == person
        turns = func.coalesce(func.max(analyses.c.turn).filter(own), func.min(analyses.c.turn), 0)
        queue = select(func.count().label("all"), func.count().filter(own).label("own"), turns.label("turn"))
        is_named = select(players.c.claimed_at.is_not(None)).where(players.c.id == person)
        async with self._database.writing() as connection:
            await lock_person(connection, person)
            found = (await connection.execute(queue.where(_UNFINISHED))).one()
            if found.own >= MAX_WAITING_OF_PERSON:
                raise TooMany("At most {count} analyses may wait; try again later.", count=MAX_WAITING_OF_PERSON)
            is_guest = not await connection.scalar(is_named)
            if found.all >= (MAX_WAITING_FOR_GUESTS if is_guest else MAX_WAITING):
                raise TooMany("Too many analyses are waiting; try again later.")
            await connection.execute(
                insert(analyses).values(
                    game=game,
                    version=version,
                    solver=SOLVER_VERSION,
                    person=person,
                    turn=found.turn,
                    asked_at=self._now(),
                    failures=0,
                )
            )

    async def _take(self, wanted: Row[Any], analyst: str, now: int, lease_seconds: int) -> Job | None:
        """Claim this job for an analyst; None if another has claimed it, or it was ended after too many failures."""
        own = and_(_UNFINISHED, analyses.c.person == wanted.person)
        claim = (analyses.c.game, analyses.c.version, analyses.c.turn, analyses.c.analyst, analyses.c.held_until)
        ordered = select(*claim).where(own).order_by(analyses.c.game, analyses.c.version)
        async with self._database.writing() as connection:
            # always in this order, so that two analysts cannot deadlock
            rows = (await connection.execute(ordered.with_for_update())).all()
            if (wanted.game, wanted.version, wanted.turn, wanted.analyst, wanted.held_until) not in map(tuple, rows):
                return None
            has_failed = wanted.analyst is not None and not wanted.analyst.startswith(
                LENT
            )  # its last lease has expired
            failures = wanted.failures + has_failed
            taken = update(analyses).where(_has_key(wanted.game, wanted.version))
            if failures >= MAX_FAILURES:
                await connection.execute(taken.values(analyst=None, held_until=None, failures=failures, done_at=now))
                return None
            await connection.execute(update(analyses).where(own).values(turn=analyses.c.turn + 1))
            held_until = now + lease_seconds * 1000
            await connection.execute(taken.values(analyst=analyst, held_until=held_until, failures=failures))
        return Job(wanted.game, wanted.version, analyst, failures, Findings.decode(wanted.findings))

    async def _change(self, job: Job, findings: Findings, **values: object) -> bool:
        failures = 0 if findings != job.findings else job.failures
        return await self._write(job, findings=findings.encode(), failures=failures, **values)

    async def _write(self, job: Job, **values: object) -> bool:
        held = and_(_has_key(job.game, job.version), analyses.c.analyst == job.analyst, _UNFINISHED)
        async with self._database.writing() as connection:
            changed = await connection.execute(update(analyses).where(held).values(**values))
        return changed.rowcount == 1


_ORDER = (analyses.c.turn, analyses.c.asked_at, analyses.c.game, analyses.c.version)


def _has_key(game: str, version: int) -> ColumnElement[bool]:
    return and_(analyses.c.game == game, analyses.c.version == version, analyses.c.solver == SOLVER_VERSION)


def _is_held(now: int) -> ColumnElement[bool]:
    return and_(analyses.c.held_until.is_not(None), analyses.c.held_until >= now)


def _state_of(row: Row[Any], now: int) -> JobState:
    findings = Findings.decode(row.findings)
    if row.done_at is not None:
        return JobState("done", None, findings)
    is_begun = row.findings is not None or (row.held_until is not None and row.held_until >= now)
    return JobState("working", None, findings) if is_begun else JobState("waiting", row.ahead, findings)


INTERVAL_SECONDS = 1.0
"""Seconds between two polls."""
MAX_AT_ONCE = 500
"""The maximum number of jobs that one query reads, because a database limits the parameters of a statement."""
OnChange = Callable[[str, int, JobState], Awaitable[None]]
"""Awaited with the id of the game, the version of the position, and the state of the job; called again if it fails."""


class Watching:
    """The jobs that one part of a node watches. Finished jobs are removed."""

    def __init__(self, jobs: AnalysisJobs, on_change: OnChange) -> None:
        self._jobs = jobs
        self._on_change = on_change
        self._seen: dict[Key, JobState | None] = {}
        self._polling: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def watch(self, game: str, version: int) -> None:
        """Call `on_change` from now on: at the first poll if the job exists, then at every change."""
        self._seen.setdefault((game, version), None)
        if self._polling is None or self._polling.done():
            self._polling = asyncio.ensure_future(self._keep_polling())

    def unwatch(self, game: str, version: int) -> None:
        """Stop watching this job."""
        self._seen.pop((game, version), None)

    async def poll(self) -> None:
        """Poll all jobs now. Raises the driver's errors if the database does not answer."""
        keys = tuple(self._seen)
        for start in range(0, len(keys), MAX_AT_ONCE):
            for key, state in (await self._jobs.get_all(keys[start : start + MAX_AT_ONCE])).items():
                if key in self._seen and self._seen[key] != state:
                    await self._on_change(*key, state)
                    if state.state == "done":
                        self.unwatch(*key)
                    elif key in self._seen:
                        self._seen[key] = state

    async def close(self) -> None:
        """Stop polling, and wait for the last query, because a statement of SQLite must not be cancelled."""
        self._seen.clear()
        self._stopping.set()
        if self._polling is not None:
            await self._polling

    async def _keep_polling(self) -> None:
        while self._seen:
            try:
                await self.poll()
            except Exception as error:
                log.warning("analysis_not_read", reason=type(error).__name__)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), INTERVAL_SECONDS)
