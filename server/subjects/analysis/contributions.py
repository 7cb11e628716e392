"""The analyses that players carry out on their own machines: lent, submitted, checked, and withdrawn.

A game is lent for `LEND_SECONDS`, and again with everything that is submitted, but for `MAX_LEND_MILLISECONDS` in all;
then it returns to the queue as it was. What was submitted is shown when it is complete.

The first complete analyses of a person and then a random share of them are checked: an analyst of the server searches
some positions again. If it finds another verdict, or a submitted win is none, the person is dropped: what was not
checked is withdrawn, those games are analysed again, and the person gets no more until a host restores them.
"""

from collections.abc import Awaitable, Callable, Sequence
from random import SystemRandom
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Row, Select, and_, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import lock_person
from cadogan.server.core.database.tables import analyses, contributions, players
from cadogan.server.core.errors import CommandReused, Forbidden, NotFound, TooMany
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.subjects.analysis.findings import Findings
from cadogan.server.subjects.analysis.jobs import LENT, WHOLE_GAME, AnalysisJobs, Job
from cadogan.server.subjects.analysis.lent_search import Claims

log = structlog.stdlib.get_logger("cadogan.analysis")
LEND_SECONDS = 60
"""Seconds until a lent game returns to the queue, unless something is submitted."""
MAX_LEND_MILLISECONDS = 15 * 60 * 1000
"""Milliseconds after which nothing more is taken for a lent game."""
MAX_LENT_TO_PERSON = 4
"""Games that one person may have at once; an owner and their bots are one person."""
MAX_TRIED = 5
"""Games that are tried at most until one may be lent."""
FIRST_CHECKED = 5
"""So many analyses of a person are checked before only a share of them is."""
CHECKED_SHARE = 0.25
"""The share of all later analyses that is checked."""
CHECK_SECONDS = 300
"""Seconds after which another analyst takes up a check."""
RETENTION_MILLISECONDS = 90 * 24 * 3600 * 1000
"""Milliseconds after which an analysis is no longer known as a contribution, unless its check has failed."""
RecordAct = Callable[[AsyncConnection, HouseActed, int], Awaitable[None]]
"""Appends an act to the log of the server, in the transaction of what it does."""
MayBeLent = Callable[[str], Awaitable[bool]]
"""Awaited with the id of a game: whether everybody may see its cards."""
_random = SystemRandom()
_table = contributions.c
_WITHDRAWN = {"state": "withdrawn", "checked": None, "claims": None, "findings": None, "held_until": None}


class Contribution(NamedTuple):
    """A lent game, and the submitted part of its analysis."""

    id: str
    game: str
    player: str
    person: str
    taken_at: int
    state: str
    findings: Findings
    claims: Claims

    @property
    def job(self) -> Job:
        """The job of this game, as its analyst has it."""
        return Job(self.game, WHOLE_GAME, LENT + self.id, 0, Findings())


class Contributor(NamedTuple):
    """A person who has analysed games: how many, how many of them were checked, and whether they were dropped."""

    person: str
    name: str | None
    done: int
    withdrawn: int
    passed: int
    failed: int


class Contributions:
    """The contributions in a database."""

    def __init__(self, database: Database, jobs: AnalysisJobs, record_act: RecordAct, now: Clock) -> None:
        self._database = database
        self._jobs = jobs
        self._record_act = record_act
        self._now = now

    async def take(self, player: str, person: str, id: str, may_be_lent: MayBeLent) -> Contribution | None:
        """Lend a game to a player, or return the one with this id; None if no game waits.

        Raises Forbidden for a person who was dropped, TooMany, or CommandReused for an id whose game was given back.
        """
        if (known := await self._get(id)) is not None:
            return _require_lent(known, player)
        async with self._database.reading() as connection:
            await self._require_room(connection, person)
        tried = select(_table.game).where(_table.person == person)
        only = and_(analyses.c.version == WHOLE_GAME, analyses.c.findings.is_(None), analyses.c.game.not_in(tried))
        secret: list[Job] = []
        job = await self._jobs.claim(LENT + id, only, LEND_SECONDS)
        while job is not None and len(secret) < MAX_TRIED and not await may_be_lent(job.game):
            secret.append(job)
            job = await self._jobs.claim(LENT + id, only, LEND_SECONDS)
        for one in secret:
            await self._jobs.release(one)
        if job is None:
            return None
        taken = Contribution(id, job.game, player, person, self._now(), "taken", Findings(), Claims())
        lent: Contribution | None = None
        try:
            lent = await self._add(taken)
        finally:
            if lent is not taken:
                await self._jobs.release(job)
        return _require_lent(lent, player)

    async def find(self, id: str, player: str) -> Contribution:
        """Return a game that was lent to this player. Raises NotFound if it has returned to the queue."""
        found = await self._get(id)
        if found is None or found.player != player or found.state not in ("taken", "done"):
            raise NotFound("You have no such game to analyse: it was given back, or its time is over.")
        return found

    async def keep(self, lent: Contribution, findings: Findings, claims: Claims, done: bool) -> bool:
        """Store what was submitted, and show it if it is complete; False if another request has changed it meanwhile.

        Raises NotFound if the time is over.
        """
        is_late = self._now() > lent.taken_at + MAX_LEND_MILLISECONDS
        if is_late or not await self._jobs.renew(lent.job, LEND_SECONDS):
            if not await self._change(lent, state="given_up", held_until=None):
                return False
            raise NotFound("You have no such game to analyse: it was given back, or its time is over.")
        kept = {"findings": findings.encode(), "claims": claims.encode()}
        if not done:
            return await self._change(lent, **kept, held_until=self._now() + LEND_SECONDS * 1000)
        checked = "passed" if not claims.count else "waiting" if await self._must_check(lent.person) else None
        if not await self._change(lent, **kept, held_until=None, state="done", checked=checked):
            return False
        await self._jobs.finish(lent.job, findings)
        return True

    async def give_up(self, lent: Contribution) -> None:
        """Return a game to the queue."""
        if await self._change(lent, state="given_up", held_until=None, findings=None, claims=None):
            await self._jobs.release(lent.job)

    async def claim_check(self) -> Contribution | None:
        """Claim an analysis that is to be checked, for `CHECK_SECONDS`; None if none waits."""
        row = await self._database.fetch_one(self._waiting_checks())  # an idle analyst does not lock out writers
        if row is None:
            return None
        unchanged = and_(
            _table.id == row.id, _table.checked == "waiting", _table.held_until.is_not_distinct_from(row.held_until)
        )
        taken = update(contributions).where(unchanged).values(held_until=self._now() + CHECK_SECONDS * 1000)
        async with self._database.writing() as connection:
            is_taken = (await connection.execute(taken)).rowcount == 1
        return _contribution(row) if is_taken else None

    async def is_check_waiting(self) -> bool:
        """Return whether an analysis waits to be checked."""
        return await self._database.fetch_one(self._waiting_checks()) is not None

    async def end_check(self, checked: Contribution, passed: bool) -> None:
        """Store that a check has found nothing wrong, or could not be made."""
        await self._set(checked.id, checked="passed" if passed else None, held_until=None, claims=None)

    async def drop(self, wrong: Contribution) -> None:
        """Drop a person, one of whose verdicts is wrong, and withdraw everything of theirs that was not checked."""
        unchecked = or_(_table.checked.is_(None), _table.checked != "passed")
        own = and_(_table.person == wrong.person, _table.state.in_(("taken", "done")), unchecked)
        async with self._database.writing() as connection:
            rows = (await connection.execute(select(contributions).where(own).with_for_update())).all()
            withdrawn = update(contributions).where(_table.id.in_([row.id for row in rows]))
            await connection.execute(withdrawn.values(_WITHDRAWN))
            failed = update(contributions).where(_table.id == wrong.id)
            await connection.execute(failed.values(_WITHDRAWN | {"checked": "failed"}))
            await self._reopen(connection, rows)
            await self._record_act(connection, HouseActed("analyst_dropped", player=wrong.person), self._now())
        log.warning("analyst_dropped", person=wrong.person, game=wrong.game, withdrawn=len(rows))

    async def restore(self, person: str) -> None:
        """Let a person analyse games again. Raises NotFound if they were not dropped."""
        failed = update(contributions).where(_table.person == person, _table.checked == "failed")
        async with self._database.writing() as connection:
            if not (await connection.execute(failed.values(checked="forgiven"))).rowcount:
                raise NotFound("This player was not dropped as an analyst.")
            await self._record_act(connection, HouseActed("analyst_restored", player=person), self._now())

    async def contributors(self) -> list[Contributor]:
        """Return everybody who has analysed games, those with the most games first."""
        done = func.count().filter(_table.state == "done").label("done")
        counts = (
            func.count().filter(_table.state == "withdrawn").label("withdrawn"),
            func.count().filter(_table.checked == "passed").label("passed"),
            func.count().filter(_table.checked == "failed").label("failed"),
        )
        rows = select(_table.person, players.c.name, done, *counts).outerjoin(players, players.c.id == _table.person)
        grouped = rows.group_by(_table.person, players.c.name).order_by(done.desc(), _table.person)
        return [Contributor(*row) for row in await self._database.fetch(grouped)]

    async def erase_old(self) -> None:
        """Forget old contributions, but for those whose check has failed."""
        old = _table.taken_at < self._now() - RETENTION_MILLISECONDS
        failed = func.coalesce(_table.checked, "") == "failed"
        async with self._database.writing() as connection:
            await connection.execute(delete(contributions).where(old, ~failed))

    def _waiting_checks(self) -> Select[Any]:
        free = or_(_table.held_until.is_(None), _table.held_until < self._now())
        return select(contributions).where(_table.checked == "waiting", free).order_by(_table.taken_at).limit(1)

    async def _require_room(self, connection: AsyncConnection, person: str) -> None:
        own = _table.person == person
        dropped = func.count().filter(_table.checked == "failed").label("dropped")
        lent = func.count().filter(_table.state == "taken", _table.held_until >= self._now()).label("lent")
        found = (await connection.execute(select(dropped, lent).where(own))).one()
        if found.dropped:
            raise Forbidden("Verdicts of this account were wrong: it gets no games to analyse until a host allows it.")
        if found.lent >= MAX_LENT_TO_PERSON:
            raise TooMany("One person may analyse at most {count} games at once.", count=MAX_LENT_TO_PERSON)

    async def _must_check(self, person: str) -> bool:
        passed = select(func.count()).where(_table.person == person, _table.checked == "passed")
        is_new = int(await self._database.fetch_value(passed) or 0) < FIRST_CHECKED
        return is_new or _random.random() < CHECKED_SHARE

    async def _add(self, taken: Contribution) -> Contribution:
        """Store a lent game and return it, or what a request with the same id has taken meanwhile. Raises TooMany."""
        row = {
            "id": taken.id,
            "game": taken.game,
            "solver": SOLVER_VERSION,
            "player": taken.player,
            "person": taken.person,
            "taken_at": taken.taken_at,
            "held_until": taken.taken_at + LEND_SECONDS * 1000,
            "state": "taken",
        }
        async with self._database.writing() as connection:
            await lock_person(connection, taken.person)
            known = (await connection.execute(select(contributions).where(_table.id == taken.id))).one_or_none()
            if known is not None:
                return _contribution(known)
            await self._require_room(connection, taken.person)
            await connection.execute(insert(contributions).values(row))
        return taken

    async def _reopen(self, connection: AsyncConnection, withdrawn: Sequence[Row[Any]]) -> None:
        """Return the games of these contributions to the queue, without what was found."""
        of_games = and_(
            analyses.c.game.in_([row.game for row in withdrawn if row.state == "done"]),
            analyses.c.version == WHOLE_GAME,
            analyses.c.solver == SOLVER_VERSION,
        )
        lent = analyses.c.analyst.in_([LENT + row.id for row in withdrawn if row.state == "taken"])
        free = {"analyst": None, "held_until": None, "findings": None, "done_at": None, "failures": 0}
        await connection.execute(update(analyses).where(or_(of_games, lent)).values(free))

    async def _get(self, id: str) -> Contribution | None:
        row = await self._database.fetch_one(select(contributions).where(_table.id == id))
        return None if row is None else _contribution(row)

    async def _change(self, lent: Contribution, **values: object) -> bool:
        """Change a lent game; return False if it is not lent any more, or more was submitted since it was read."""
        known = func.coalesce(_table.findings, Findings().encode()) == lent.findings.encode()
        unchanged = and_(_table.id == lent.id, _table.state == "taken", known)
        async with self._database.writing() as connection:
            return (await connection.execute(update(contributions).where(unchanged).values(**values))).rowcount == 1

    async def _set(self, id: str, **values: object) -> None:
        async with self._database.writing() as connection:
            await connection.execute(update(contributions).where(_table.id == id).values(**values))


def _require_lent(known: Contribution, player: str) -> Contribution:
    if known.player != player or known.state != "taken":
        raise CommandReused("This Idempotency-Key has been used for another request.")
    return known


def _contribution(row: Row[Any]) -> Contribution:
    return Contribution(
        row.id,
        row.game,
        row.player,
        row.person,
        row.taken_at,
        row.state,
        Findings.decode(row.findings),
        Claims.decode(row.claims),
    )
