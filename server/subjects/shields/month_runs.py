"""The runs of a month that count for shields: of the days that are over, and of the evenings that are final.

A run's share of its deal is counted in the database, and only the best three of each person and game are read.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from sqlalchemy import Float, Row, case, cast, func, select

from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import contests, entries, strikes
from cadogan.server.core.scoring.deals import neuberg
from cadogan.server.core.scoring.fields import fraction
from cadogan.server.core.scoring.forms import ShieldRun
from cadogan.server.core.scoring.shields import BEST, MIN_RUNS

EveningRuns = Callable[[int, int], Awaitable[list[ShieldRun]]]
"""Returns the runs of people in the evenings that became final between two moments."""


class MonthRuns:
    """The runs in a database, by month."""

    def __init__(self, database: Database, evening_runs: EveningRuns) -> None:
        self._database = database
        self._evening_runs = evening_runs

    async def first_month(self) -> str | None:
        """Return the month of the first day or evening here, as 2026-11; None if there is none."""
        day = await self._database.fetch_value(select(func.min(entries.c.day)))
        at = await self._database.fetch_value(select(func.min(contests.c.ends_at)))
        days = [*([day] if day else ()), *([dates.day_of(at)] if at else ())]
        return min(days)[:7] if days else None

    async def read(self, month: str, until: int) -> list[ShieldRun]:
        """Return the runs that ended in a month, of the days and evenings that are over at a moment."""
        begins = dates.day_times(f"{month}-01", 0).opens_at
        days = await self._database.fetch(_select_best(month, min(dates.day_of(until), f"{month}-32")))
        return await asyncio.to_thread(_as_runs, days) + await self._evening_runs(begins, until)


def _as_runs(days: Iterable[Row[Any]]) -> list[ShieldRun]:
    return [
        ShieldRun(
            game=row.rules,
            player=row.player,
            share=fraction(neuberg(row.matchpoints, row.runs, row.runs)),
            n=row.runs,
            ended_at=row.finished_at,
        )
        for row in days
    ]


def month_after(month: str) -> str:
    """Return the next month.

    >>> month_after("2026-12")
    '2027-01'
    """
    return dates.add_days(f"{month}-28", 4)[:7]


def _select_best(month: str, until: str) -> Any:
    """Select the best three runs of each person and game, with their matchpoints and the number of runs of the deal."""
    key = (case((entries.c.result == "won", 0), else_=1), -entries.c.score, entries.c.moves, entries.c.milliseconds)
    deal = entries.c.deal
    rank = func.rank().over(partition_by=deal, order_by=key)
    equal = func.count().over(partition_by=(deal, *key))
    runs = func.count().over(partition_by=deal)
    first = dates.add_days(f"{month}-01", -1)  # a run of the last day of a month may end in the next one
    counted = (
        entries.c.day >= first,
        entries.c.day < until,
        entries.c.game_id.not_in(select(strikes.c.game_id)),
        ~entries.c.player.startswith(ids.BOT_PREFIX),
    )
    columns = (entries.c.rules, entries.c.player, entries.c.finished_at, runs.label("runs"))
    matchpoints = (2 * (runs - rank - equal + 1) + equal - 1).label("matchpoints")
    scored = select(*columns, matchpoints).where(*counted).subquery("scored").c
    share = (cast(scored.matchpoints, Float) / (2 * (scored.runs - 1))).label("share")
    begins = dates.day_times(f"{month}-01", 0).opens_at
    ends = dates.day_times(f"{month_after(month)}-01", 0).opens_at
    is_of_month = scored.finished_at.between(begins, ends - 1)
    of_month = select(*scored, share).where(scored.runs >= MIN_RUNS, is_of_month)
    each = of_month.subquery("each").c
    best = {"partition_by": (each.rules, each.player), "order_by": (each.share.desc(), each.finished_at)}
    placed = select(*each, func.row_number().over(**best).label("place")).subquery("placed").c  # type: ignore[arg-type]
    return select(placed.rules, placed.player, placed.finished_at, placed.runs, placed.matchpoints).where(
        placed.place <= BEST
    )
