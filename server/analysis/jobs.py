"""The queue of the analysts: jobs in the database, which analysts claim one at a time, on any machine.

An analyst works on a job for some seconds, then puts it back, and claims the next one. So nobody waits for a long
analysis of somebody else. Persons take turns: `turn` says how often the person of a job had a turn while they had jobs
in the queue, and is the same for all unfinished jobs of one person. The job with the smallest turn is next, and of
those the one that was asked for first. Who comes anew begins with the smallest turn there is.

An analyst holds a job for `HOLD_SECONDS`, unless it holds it longer. If it does neither hold nor finish it, it was
killed: the job has failed once, and another analyst goes on with what is stored. A job that fails `MAX_FAILURES` times
without finding anything in between ends with what was found.
"""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Row, and_, case, delete, func, insert, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.analysis.findings import Findings
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import TooMany
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import analyses, players

WHOLE_GAME = 0
"""The version of a job that analyses a whole finished game; any other is the version whose position is in question."""
MAX_WAITING_OF_PERSON = 8
"""Unfinished jobs that one person may have; an owner and their bots are one person."""
MAX_WAITING = 2_000
"""Unfinished jobs that there may be in all."""
MAX_WAITING_FOR_GUESTS = 1_000
"""From so many unfinished jobs on guests have to wait: a crowd of guests must not shut out players with a name."""
HOLD_SECONDS = 30
"""For so long a job belongs to an analyst that does not say that it is still at work."""
MAX_FAILURES = 3
"""After so many failures one after another a job ends with what was found."""
ANSWER_RETENTION_MILLISECONDS = 24 * 3600 * 1000
"""For so long the answer to a question about one position is kept; the position itself stays among those decided."""

State = Literal["waiting", "working", "done"]
Key = tuple[str, int]
"""The id of the game and the version in question, `WHOLE_GAME` for all of it."""

_UNFINISHED = and_(analyses.c.done_at.is_(None), analyses.c.solver == SOLVER_VERSION)


class JobState(NamedTuple):
    """How far a job is. `ahead` is how many unfinished jobs come before it; None if it does not wait any more."""

    state: State
    ahead: int | None
    findings: Findings


class Job(NamedTuple):
    """A job in the hands of an analyst, and what was found before. Failures are those since something was found."""

    game: str
    version: int
    analyst: str
    failures: int
    findings: Findings


class QueueFigures(NamedTuple):
    """How many jobs wait, how many are worked on, and for how many seconds the oldest of those that wait was asked."""

    waiting: int
    working: int
    oldest_waiting_seconds: float


class AnalysisJobs:
    """The jobs in a database for this version of the solver, for those who ask and for the analysts."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def ask(self, game: str, version: int, person: str) -> JobState:
        """Put a job into the queue, unless it was asked for before, and return how far it is.

        `person` is who asks; for a bot it is the owner. Raises TooMany if the person has too many unfinished jobs, or
        the queue is full.
        """
        if known := await self.get(game, version):
            return known
        with suppress(IntegrityError):  # somebody else has asked at the same moment
            await self._add(game, version, person)
        asked = await self.get(game, version)
        assert asked is not None
        return asked

    async def get(self, game: str, version: int) -> JobState | None:
        """Return how far a job is; None if nobody has asked for it."""
        return (await self.get_all([(game, version)])).get((game, version))

    async def get_all(self, wanted: Collection[Key]) -> dict[Key, JobState]:
        """Return how far each of these jobs is. Those that nobody has asked for are left out."""
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

    async def claim(self, analyst: str) -> Job | None:
        """Give the next job to an analyst, and raise the turn of its person; None if no job waits."""
        while True:
            now = self._now()
            first = select(analyses).where(_UNFINISHED, ~_is_held(now)).order_by(*_ORDER).limit(1)
            async with self._database.reading() as connection:  # an idle analyst hinders no writer
                wanted = (await connection.execute(first)).one_or_none()
            if wanted is None:
                return None
            if (job := await self._take(wanted, analyst, now)) is not None:
                return job

    async def keep(self, job: Job, findings: Findings) -> bool:
        """Store what was found so far, and hold the job for another `HOLD_SECONDS`.

        Returns False if the job does not belong to this analyst any more: then it has to stop.
        """
        return await self._change(job, findings, held_until=self._now() + HOLD_SECONDS * 1000)

    async def put_back(self, job: Job, findings: Findings) -> bool:
        """Store what was found so far, and let the job wait for its next turn. False if it was no longer this one's."""
        return await self._change(job, findings, analyst=None, held_until=None)

    async def finish(self, job: Job, findings: Findings) -> bool:
        """Store all that was found, and end the job. False if it was no longer this analyst's."""
        return await self._change(job, findings, analyst=None, held_until=None, done_at=self._now())

    async def fail(self, job: Job) -> bool:
        """Let another analyst try the job again, or end it with what was stored if it has failed too often."""
        failures = job.failures + 1
        done_at = self._now() if failures >= MAX_FAILURES else None
        return await self._write(job, analyst=None, held_until=None, failures=failures, done_at=done_at)

    async def count(self) -> QueueFigures:
        """Return how long the queue is."""
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
        """Erase the old answers to questions about one position, and the jobs of older versions of the solver."""
        old = and_(analyses.c.version != WHOLE_GAME, analyses.c.done_at < self._now() - ANSWER_RETENTION_MILLISECONDS)
        async with self._database.writing() as connection:
            await connection.execute(delete(analyses).where(or_(old, analyses.c.solver < SOLVER_VERSION)))

    async def _add(self, game: str, version: int, person: str) -> None:
        own = analyses.c.person == person
        turns = func.coalesce(func.max(analyses.c.turn).filter(own), func.min(analyses.c.turn), 0)
        queue = select(func.count().label("all"), func.count().filter(own).label("own"), turns.label("turn"))
        is_named = select(players.c.claimed_at.is_not(None)).where(players.c.id == person)
        async with self._database.writing() as connection:
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

    async def _take(self, wanted: Row[Any], analyst: str, now: int) -> Job | None:
        """Give this job to an analyst; None if it cannot be had any more, or has failed too often and is ended."""
        own = and_(_UNFINISHED, analyses.c.person == wanted.person)
        claim = (analyses.c.game, analyses.c.version, analyses.c.turn, analyses.c.analyst, analyses.c.held_until)
        ordered = select(*claim).where(own).order_by(analyses.c.game, analyses.c.version)
        async with self._database.writing() as connection:
            # In one order, so that two analysts never wait for each other's rows.
            rows = (await connection.execute(ordered.with_for_update())).all()
            if (wanted.game, wanted.version, wanted.turn, wanted.analyst, wanted.held_until) not in map(tuple, rows):
                return None
            failures = wanted.failures + (wanted.analyst is not None)  # who held it last did not give it back
            taken = update(analyses).where(_has_key(wanted.game, wanted.version))
            if failures >= MAX_FAILURES:
                await connection.execute(taken.values(analyst=None, held_until=None, failures=failures, done_at=now))
                return None
            await connection.execute(update(analyses).where(own).values(turn=analyses.c.turn + 1))
            held_until = now + HOLD_SECONDS * 1000
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
