"""The shields of this month: who leads each game, by the rules of `docs/scoring.md`, from the daily deals.

A run's share of its deal is counted in the database, and only the runs of those who may lead are read. The exact sums
and the ties are those of `cadogan.server.core.scoring.shields`.
"""

import asyncio
from fractions import Fraction
from typing import Any

from sqlalchemy import Float, case, cast, func, select

from cadogan.server.core import dates, ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import entries, strikes
from cadogan.server.core.scoring.deals import neuberg
from cadogan.server.core.scoring.fields import fraction
from cadogan.server.core.scoring.forms import ShieldRun, Shields
from cadogan.server.core.scoring.shields import BEST, LEAST_RUNS, award_shields, month_of
from cadogan.wire.collection import Shield

MAX_AGE_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds for which the leaders are cached, because the query reads all runs of the month."""
TOLERANCE = 1e-6
"""By how much the sums that the database adds up may differ from the exact ones."""


class MonthShields:
    """The shields of the month in a database: they count the deals of all days of it that are over."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now
        self._lock = asyncio.Lock()
        self._read_at: int | None = None
        self._today = ""
        self._shields: dict[str, list[Shield]] = {}

    @property
    def month(self) -> str:
        """The month that it is now, as 2026-11."""
        return month_of(self._now())

    async def of(self, player: str) -> list[Shield]:
        """Return the shields of a player, sorted by slug; they are at most `MAX_AGE_MILLISECONDS` old."""
        async with self._lock:
            now = self._now()
            today = dates.day_of(now)
            is_recent = self._read_at is not None and 0 <= now - self._read_at < MAX_AGE_MILLISECONDS
            if not is_recent or today != self._today:
                self._shields = await self._read(today)
                self._read_at, self._today = now, today
        return self._shields.get(player, [])

    async def _read(self, today: str) -> dict[str, list[Shield]]:
        month = today[:7]
        rows = await self._database.fetch(_select_leaders(month, today))
        runs = [
            ShieldRun(
                game=row.rules,
                player=row.player,
                share=fraction(neuberg(row.matchpoints, row.runs, row.runs)),
                n=row.runs,
                ended_at=row.finished_at,
            )
            for row in rows
        ]
        found: dict[str, list[Shield]] = {}
        for one in award_shields(Shields(format="cadogan shields 1", month=month, runs=runs))["shields"]:
            total: Fraction = sum_of(one["sum"])
            found.setdefault(one["holder"], []).append(Shield(rules=one["game"], sum=round(float(total), 4)))
        return found


def sum_of(text: str) -> Fraction:
    """Return the sum of up to `BEST` shares that is written as a fraction.

    >>> sum_of("5/2")
    Fraction(5, 2)
    """
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator))


def _select_leaders(month: str, today: str) -> Any:
    """Select the runs of whoever may lead a game, each with its matchpoints and the number of runs of its deal."""
    key = (case((entries.c.result == "won", 0), else_=1), -entries.c.score, entries.c.moves, entries.c.milliseconds)
    deal = entries.c.deal
    rank = func.rank().over(partition_by=deal, order_by=key)
    equal = func.count().over(partition_by=(deal, *key))
    runs = func.count().over(partition_by=deal)
    first = dates.add_days(f"{month}-01", -1)  # a run of the last day of a month may end in the next one
    counted = (
        entries.c.day >= first,
        entries.c.day < today,
        entries.c.game_id.not_in(select(strikes.c.game_id)),
        ~entries.c.player.startswith(ids.BOT_PREFIX),
    )
    columns = (entries.c.rules, entries.c.player, entries.c.finished_at, runs.label("runs"))
    matchpoints = (2 * (runs - rank - equal + 1) + equal - 1).label("matchpoints")
    scored = select(*columns, matchpoints).where(*counted).subquery("scored").c
    share = (cast(scored.matchpoints, Float) / (2 * (scored.runs - 1))).label("share")
    begins = dates.day_times(f"{month}-01", 0).opens_at
    of_month = select(*scored, share).where(scored.runs >= LEAST_RUNS, scored.finished_at >= begins)
    each = of_month.subquery("each").c
    place = func.row_number().over(partition_by=(each.rules, each.player), order_by=each.share.desc())
    placed = select(*each, place.label("place")).subquery("placed").c
    best = case((placed.place <= BEST, placed.share), else_=0.0)
    sums = select(*placed, func.sum(best).over(partition_by=(placed.rules, placed.player)).label("total"))
    summed = sums.subquery("summed").c
    most = func.max(summed.total).over(partition_by=summed.rules)
    leading = select(*summed, most.label("most")).subquery("leading").c
    return select(leading.rules, leading.player, leading.finished_at, leading.runs, leading.matchpoints).where(
        leading.total >= leading.most - TOLERANCE
    )
