"""Findings of the copy detector about the runs of a closed day, with what the log says of who watched what.

A day is looked at once, by one node, soon after its close: then its deals are no secret, and nothing about them
changes. What was found is kept in the database, by ids.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import dates
from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import findings
from cadogan.server.eventlog.event_store import Store
from cadogan.server.eventlog.streams import day_stream
from cadogan.server.house.fair_play.comparing import compare_runs
from cadogan.server.house.fair_play.copying import CopyFinding, PaceFinding
from cadogan.server.house.fair_play.played_runs import PlayedRuns, View

DAYS_BACK = 7
"""Days before today that a server looks at by itself; earlier ones are looked at when somebody asks."""
CLAIM_MILLISECONDS = 30 * 60 * 1000
"""After so long another node looks at a day whose findings are not there yet."""
LATEST = 30
"""Days that are listed."""


class ReportedCopy(NamedTuple):
    """A run that follows another, and the views of the run that it follows, from before the later run was over."""

    found: CopyFinding
    views: tuple[View, ...]


class DayFindings(NamedTuple):
    """What was found about a day, and how many runs of people were compared."""

    runs: int
    copies: tuple[ReportedCopy, ...]
    paces: tuple[PaceFinding, ...]

    def about(self, game: str) -> "DayFindings":
        """Return only what was found about the run with this id."""
        copies = tuple(one for one in self.copies if game in (one.found.run, one.found.of))
        return DayFindings(self.runs, copies, tuple(one for one in self.paces if one.run == game))


class CheckedDay(NamedTuple):
    """A day that was looked at: when, in milliseconds since 1970, how much was found, and whether it was read since."""

    day: str
    at: int
    found: int
    seen: bool


class Findings:
    """The findings in a database. `now` returns milliseconds since 1970."""

    def __init__(self, database: Database, store: Store, runs: PlayedRuns, now: Callable[[], int]) -> None:
        self._database = database
        self._store = store
        self._runs = runs
        self._now = now
        self._known: set[str] = set()
        self._lock = asyncio.Lock()

    async def of_day(self, day: str) -> DayFindings:
        """Return what is found about a day, and look at it if nobody has.

        Raises NotFound, and Conflict before its close.
        """
        if (found := await self.find_stored(day)) is not None:
            return found
        stored = await self._store.read(day_stream(day)) if dates.is_valid(day) else []
        if not stored:
            raise NotFound("There is no such day.")
        if stored[-1].type != "daily_closed":
            raise Conflict("The runs of a day are compared when it has closed.")
        async with self._lock:  # it is much work: one day after another
            return await self.find_stored(day) or await self._look_at(day)

    async def find_stored(self, day: str) -> DayFindings | None:
        """Return what was found about a day; None if nobody has looked at it."""
        text = await self._database.fetch_value(select(findings.c.found).where(findings.c.day == day))
        try:
            return None if text is None else msgspec.json.decode(text, type=DayFindings)
        except msgspec.DecodeError:  # another version of the detector has written it
            return None

    async def latest(self) -> list[CheckedDay]:
        """Return the latest days that were looked at and in which something was found, the latest first."""
        wanted = select(findings).where(findings.c.found.is_not(None), findings.c.count > 0)
        rows = await self._database.fetch(wanted.order_by(findings.c.day.desc()).limit(LATEST))
        return [CheckedDay(row.day, row.at, row._mapping["count"], row.seen_at is not None) for row in rows]

    async def mark_seen(self, day: str) -> None:
        """Remember that a host or a moderator has read what was found about a day."""
        unseen = (findings.c.day == day) & findings.c.seen_at.is_(None)
        if await self._database.fetch_value(select(findings.c.day).where(unseen)) is None:
            return
        async with self._database.writing() as connection:
            await connection.execute(update(findings).where(unseen).values(seen_at=self._now()))

    async def look_at_due(self) -> None:
        """Look at the days that have closed lately, each on one node only."""
        today = dates.day_of(self._now())
        days = {dates.add_days(today, -back) for back in range(1, DAYS_BACK + 1)} - self._known
        if not days:
            return
        async with self._database.reading() as connection:
            done = findings.c.day.in_(days) & findings.c.found.is_not(None)
            self._known |= set(await connection.scalars(select(findings.c.day).where(done)))
        for day in sorted(days - self._known):
            stored = await self._store.read(day_stream(day))
            if stored and stored[-1].type == "daily_closed" and await self._claim(day):
                async with self._lock:
                    await self._look_at(day)

    async def run_due(self) -> None:
        """Look at the days that have closed lately."""
        await self.look_at_due()

    async def _claim(self, day: str) -> bool:
        """Return whether this node is the one that looks at a day."""
        now = self._now()
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(findings).values(day=day, at=now, count=0))
            return True
        except IntegrityError:
            held = (findings.c.day == day) & findings.c.found.is_(None) & (findings.c.at <= now - CLAIM_MILLISECONDS)
            return await self._write(held, at=now)

    async def _look_at(self, day: str) -> DayFindings:
        by_deal = await self._runs.of_day(day)
        copies, paces = list[ReportedCopy](), list[PaceFinding]()
        for (deal, runs), compared in zip(by_deal.items(), await compare_runs([*by_deal.values()]), strict=True):
            ends = {run.game: run.moves[-1].at for run in runs if run.moves}
            views = await self._runs.views(deal) if compared.copies else []
            for copy in compared.copies:
                seen = [view for view in views if view.game == copy.of and view.at <= ends[copy.run]]
                copies.append(ReportedCopy(copy, tuple(seen)))
            paces += compared.paces
        found = DayFindings(sum(map(len, by_deal.values())), tuple(copies), tuple(paces))
        values = {
            "at": self._now(),
            "count": len(copies) + len(paces),
            "found": msgspec.json.encode(found).decode(),
        }
        if not await self._write(findings.c.day == day, **values):
            async with self._database.writing() as connection:
                await connection.execute(insert(findings).values(day=day, **values))
        return found

    async def _write(self, condition: ColumnElement[bool], **values: object) -> bool:
        async with self._database.writing() as connection:
            return (await connection.execute(update(findings).where(condition).values(values))).rowcount > 0
