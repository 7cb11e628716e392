"""Detecting outages of this server: no node could write for half a minute while a round was open.

While an evening is on, every node touches one row every few seconds. Whoever finds it old notes the outage, from the
last touch until now. An outage that an evening has already is not noted again.
"""

import asyncio
from collections.abc import Sequence

from sqlalchemy import select

from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import upsert
from cadogan.server.core.database.tables import contests, pulse
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.subjects.evenings.evening_events import KEY, OutageNoted
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Evenings

TOUCH_SECONDS = 5.0
OUTAGE_MILLISECONDS = 30_000
"""Milliseconds of an open round after which nothing that was written counts as an outage."""
AROUND_MILLISECONDS = 60_000
"""Milliseconds before and after an evening for which the row is touched, too."""


class OutageWatch:
    """Updates the row that shows that a node can write, and detects when its last update is too long ago."""

    def __init__(self, database: Database, evenings: Evenings, clocks: ClockCheck, now: Clock) -> None:
        self._database = database
        self._evenings = evenings
        self._clocks = clocks
        self._now = now
        self._noted_at = 0

    async def run(self, _: asyncio.Event) -> None:
        """Check once when the node starts: the time without writes ends now. A quick restart is not an outage."""
        await self.run_due()

    async def run_due(self) -> float | None:
        """Record an outage that has just ended, and update the row while an evening is running."""
        if not await self._clocks.agree():
            return TOUCH_SECONDS
        now = self._now()
        last = await self._database.fetch_value(select(pulse.c.at).where(pulse.c.name == KEY))
        if last is not None and now - last >= OUTAGE_MILLISECONDS and last != self._noted_at:
            await self._note(last, now)
            self._noted_at = last
        if await self._ids_between(now - AROUND_MILLISECONDS, now + AROUND_MILLISECONDS):
            async with self._database.writing() as connection:
                await connection.execute(upsert(pulse, connection.dialect), {"name": KEY, "at": now})
        return TOUCH_SECONDS

    async def _note(self, since: int, until: int) -> None:
        def decide(state: EveningState) -> Sequence[CompetitionEvent]:
            lost = max(min(until, one.closes_at) - max(since, one.opens_at) for one in state.rounds)
            is_known = any(one.since <= since and until <= one.until for one in state.outages if one.players is None)
            if state.is_over or is_known or lost < OUTAGE_MILLISECONDS:
                return []
            return [OutageNoted(since, until)]

        for id in await self._ids_between(since, until):
            await self._evenings.write(id, decide)

    async def _ids_between(self, since: int, until: int) -> list[str]:
        """Return the ids of the evenings that are not void and have a part of their time between two moments."""
        is_there = (contests.c.starts_at <= until) & (contests.c.ends_at >= since) & (contests.c.state != "void")
        chosen = select(contests.c.id).where(contests.c.competition == KEY, is_there)
        return [row.id for row in await self._database.fetch(chosen)]
