"""The sessions of a season: each deal of the days that are over, and each final evening by matchpoints."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select

from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import contests, entries, strikes
from cadogan.server.core.scoring.forms import Session
from cadogan.server.core.scoring.sessions import score_week
from cadogan.server.subjects.evenings.evening_events import KEY
from cadogan.server.subjects.ratings.final_evenings import FinalEvenings
from cadogan.wire.schedule import MAX_GRACE_SECONDS

DAY_COUNTS_AFTER_MILLISECONDS = MAX_GRACE_SECONDS * 1000
"""Milliseconds after the end of a day at which it counts: no run of it goes on for longer."""
MAX_CACHED_WEEKS = 100
MAX_CACHED_EVENINGS = 1_000
Struck = frozenset[str]


class Sessions(NamedTuple):
    """The sessions of some weeks.

    `struck` are the ids of the struck runs that they leave out, sorted. `final_at` is when the last of the evenings
    became final, in milliseconds since 1970, and 0 without one. `is_complete` is whether all evenings are over.
    """

    sessions: list[Session]
    struck: tuple[str, ...]
    final_at: int
    is_complete: bool


class SeasonSessions:
    """The sessions in a database; those of a week and of an evening are cached until a run of them is struck."""

    def __init__(self, database: Database, finals: FinalEvenings) -> None:
        self._database = database
        self._finals = finals
        self._weeks: dict[tuple[str, int, Struck], list[Session]] = {}
        self._evenings: dict[tuple[str, Struck], dict[str, str]] = {}

    async def read(
        self, group: str | None, weeks: Sequence[str], until: int, struck: Collection[str] | None = None
    ) -> Sessions:
        """Return the sessions of these weeks at a moment, without the runs struck by then, or without these.

        The evenings are those of a group, or with None those for everybody.
        """
        out = frozenset(await self._struck(until) if struck is None else struck)
        days = [dates.first_day(week) for week in weeks]
        sessions, left_out = list[Session](), set[str]()
        if weeks:
            of_days = await self._struck_of_days(days[0], dates.add_days(days[-1], 6), out)
            left_out |= of_days
            for week, first in zip(weeks, days, strict=True):
                sessions += await self._read_week(week, first, until, frozenset(of_days))
        final_at, is_complete = 0, True
        finals = {one.id: one for one in await self._finals.read()}
        for row in await self._listed(group, weeks):
            evening = finals.get(row.id)
            if evening is None:
                is_complete = is_complete and row.state == "void"
            elif evening.at <= until:
                final_at = max(final_at, evening.at)
                own = frozenset(await self._finals.struck_among(evening, out))
                left_out |= own
                shares = await self._read_evening(row.id, own)
                week = dates.week_name(dates.week_number(row.starts_at))
                if shares:
                    sessions.append(Session(f"{KEY}-{row.id}", week, shares))
        return Sessions(sessions, tuple(sorted(left_out)), final_at, is_complete)

    async def _struck(self, until: int) -> list[str]:
        chosen = select(strikes.c.game_id).where(strikes.c.struck_at <= until)
        return [row.game_id for row in await self._database.fetch(chosen)]

    async def _struck_of_days(self, first: str, last: str, struck: Struck) -> set[str]:
        """Return the struck runs of these days."""
        if not struck:
            return set()
        mine = (among(entries.c.game_id, "runs"), entries.c.day >= first, entries.c.day <= last)
        rows = await self._database.fetch(select(entries.c.game_id).where(*mine), {"runs": sorted(struck)})
        return {row.game_id for row in rows}

    async def _listed(self, group: str | None, weeks: Sequence[str]) -> Sequence[Any]:
        """Return the evenings of a group, or for everybody, that begin in these weeks."""
        if not weeks:
            return ()
        begins, ends = dates.week_begins(weeks[0]), dates.week_begins(weeks[-1]) + dates.MILLISECONDS_PER_WEEK
        whose = contests.c.group == group if group else contests.c.group.is_(None) & (contests.c.entry == "all")
        chosen = select(contests.c.id, contests.c.state, contests.c.starts_at).where(
            contests.c.competition == KEY, whose, contests.c.starts_at.between(begins, ends - 1)
        )
        return await self._database.fetch(chosen.order_by(contests.c.starts_at, contests.c.id))

    async def _read_week(self, week: str, first: str, until: int, struck: Struck) -> list[Session]:
        days = [dates.add_days(first, number) for number in range(7)]
        over = [day for day in days if dates.day_times(day, DAY_COUNTS_AFTER_MILLISECONDS).closes_at <= until]
        if not over:
            return []
        key = (week, len(over), struck)
        if key not in self._weeks:
            chosen = select(entries).where(entries.c.day >= over[0], entries.c.day <= over[-1])
            people = [row for row in await self._database.fetch(chosen) if not ids.is_bot(row.player)]
            if len(self._weeks) >= MAX_CACHED_WEEKS:
                self._weeks.clear()
            self._weeks[key] = await asyncio.to_thread(score_week, week, people, struck)
        return self._weeks[key]

    async def _read_evening(self, id: str, struck: Struck) -> dict[str, str]:
        key = (id, struck)
        if key not in self._evenings:
            if len(self._evenings) >= MAX_CACHED_EVENINGS:
                self._evenings.clear()
            self._evenings[key] = await self._finals.shares(id, struck)
        return self._evenings[key]
