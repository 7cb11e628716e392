"""The shields: who leads each game this month, and who holds its shield, by the rules of `docs/scoring.md`.

A month is awarded by the clock, two days after it is over, in the stream `shields`. Whichever node is first writes it.
"""

import asyncio
from fractions import Fraction
from typing import NamedTuple

from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.rating_events import ShieldWon
from cadogan.server.core.eventlog.streams import SHIELDS
from cadogan.server.core.scoring.forms import ShieldRun, Shields
from cadogan.server.core.scoring.shields import award_shields, month_of
from cadogan.server.core.shares import SharedLock
from cadogan.server.core.storage.rating_rows import read_stream
from cadogan.server.core.storage.sql_store import append_at
from cadogan.server.subjects.shields.month_runs import MonthRuns, month_after
from cadogan.wire.collection import HeldShield, Shield

MAX_AGE_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds for which the leaders are cached, because the query reads all runs of the month."""
AWARD_AFTER_MILLISECONDS = 2 * dates.MILLISECONDS_PER_DAY
"""Milliseconds after the end of a month at which its shields are awarded."""
PAUSE_SECONDS = 60.0


class _Known(NamedTuple):
    """The shields at a moment, by player."""

    leading: dict[str, list[Shield]]
    held: dict[str, list[HeldShield]]


class MonthShields:
    """The shields in a database."""

    def __init__(self, database: Database, runs: MonthRuns, clocks: ClockCheck, now: Clock) -> None:
        self._database = database
        self._runs = runs
        self._clocks = clocks
        self._now = now
        self._lock = SharedLock()
        self._read_at: int | None = None
        self._today = ""
        self._known = _Known({}, {})
        self._awarded = ""

    @property
    def month(self) -> str:
        """The month that it is now, as 2026-11."""
        return month_of(self._now())

    async def of(self, player: str) -> list[Shield]:
        """Return the games that a player leads this month, sorted by slug; at most `MAX_AGE_MILLISECONDS` old."""
        return (await self._get()).leading.get(player, [])

    async def held_by(self, player: str) -> list[HeldShield]:
        """Return the shields that a player holds, sorted by slug; at most `MAX_AGE_MILLISECONDS` old."""
        return (await self._get()).held.get(player, [])

    async def run_due(self) -> float | None:
        """Award every month that is due."""
        if await self._clocks.agree():
            latest = month_of(self._now() - AWARD_AFTER_MILLISECONDS)  # this one is not over, or not for long enough
            if latest != self._awarded and await self._award_until(latest):
                self._awarded = latest
        return PAUSE_SECONDS

    async def _award_until(self, latest: str) -> bool:
        """Award the months before `latest`; return False if another node has written first."""
        won = await self._read_won()
        month = month_after(won[-1].month) if won else await self._runs.first_month()
        holders = {event.game: event.player for event in won}
        version = len(won)
        while month is not None and month < latest:
            due_at = dates.day_times(f"{month_after(month)}-01", 0).opens_at + AWARD_AFTER_MILLISECONDS
            events = await asyncio.to_thread(_award, month, holders, await self._runs.read(month, due_at))
            async with self._database.writing() as connection:
                if events and not await append_at(connection, SHIELDS, version, events, due_at):
                    return False
            holders |= {event.game: event.player for event in events}
            version += len(events)
            month = month_after(month)
        return True

    async def _get(self) -> _Known:
        async with self._lock:
            now = self._now()
            today = dates.day_of(now)
            is_recent = self._read_at is not None and 0 <= now - self._read_at < MAX_AGE_MILLISECONDS
            if not is_recent or today != self._today:
                self._known = await self._read(now)
                self._read_at, self._today = now, today
        return self._known

    async def _read(self, now: int) -> _Known:
        last = {event.game: event for event in await self._read_won()}
        holders = {game: event.player for game, event in last.items()}
        month = month_of(now)
        known = _Known({}, {})
        for event in await asyncio.to_thread(_award, month, holders, await self._runs.read(month, now)):
            known.leading.setdefault(event.player, []).append(Shield(rules=event.game, sum=_shown(event.sum)))
        for game, event in sorted(last.items()):
            held = HeldShield(rules=game, month=event.month, sum=_shown(event.sum))
            known.held.setdefault(event.player, []).append(held)
        return known

    async def _read_won(self) -> list[ShieldWon]:
        async with self._database.reading() as connection:
            return [event for event, _ in await read_stream(connection, SHIELDS) if isinstance(event, ShieldWon)]


def _award(month: str, holders: dict[str, str], runs: list[ShieldRun]) -> list[ShieldWon]:
    """Return who wins each game that has runs, sorted by slug; a holder keeps the shield if equal."""
    form = Shields(format="cadogan shields 1", month=month, holders={**holders}, runs=runs)
    return [
        ShieldWon(game=one["game"], month=month, player=one["holder"], sum=one["sum"], kept=one["kept"])
        for one in award_shields(form)["shields"]
        if one["sum"] is not None
    ]


def _shown(total: str) -> float:
    """Return the sum of up to three shares, which is written as a fraction, as a number."""
    return round(float(Fraction(total)), 4)
