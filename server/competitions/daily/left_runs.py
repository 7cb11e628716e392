"""The ranked runs that still went on when their day closed: each gets its end, as of the close.

Nobody waits for it, and no board changes by it: such a run counts nowhere. The end is the same whoever writes it, and
the log's unique versions let only one writer through. A node looks through all runs that are left, of whatever day,
once it has started and after every close that it hears of. So what one node leaves undone is done by another one, or by
itself when it is started again.
"""

import asyncio
from typing import Protocol

import structlog

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.repository import DayCommitted
from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.eventlog.background_tasks import BackgroundTasks
from cadogan.server.eventlog.database_errors import as_unavailable
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_index import AbandonedAttempt, GameIndex
from cadogan.server.games.game_state import GameState

RUNS_PER_BATCH = 50
"""Runs that are looked for at once."""
PAUSE_SECONDS = 0.05
"""Seconds between two batches, in which others have the database for themselves."""

log = structlog.stdlib.get_logger("cadogan.daily")


class Commands(Protocol):
    """What ending a run asks of the commands on games."""

    async def end_on_time(self, game_id: str, at: int) -> GameState:
        """Return the game, ended at that moment if it still went on."""


class AbandonedRuns:
    """Ends the runs that are left, on one node."""

    def __init__(
        self, challenges: DailyChallenges, index: GameIndex, cache: GameCache, commands: Commands, now: Clock
    ) -> None:
        self._challenges = challenges
        self._index = index
        self._cache = cache
        self._commands = commands
        self._now = now
        self._is_due = True
        self._is_closed = False
        self.background = BackgroundTasks()

    def on_day_change(self, committed: DayCommitted) -> None:
        """Have the runs looked through again, if the day has closed."""
        self._is_due = self._is_due or committed.state.closed

    def end_soon(self) -> None:
        """End in the background what is left, if a day has closed since the last time, or this is the first time."""
        if self._is_due and not self.background.busy:
            self.background.start(self._end_all)

    async def wait_until_idle(self) -> None:
        """Wait until no run is being ended."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """End the run that is under way, and no more."""
        self._is_closed = True
        await self.background.close()

    async def _end_all(self) -> None:
        self._is_due, last = False, None
        while batch := await self._index.abandoned_attempts(dates.day_of(self._now()), last, RUNS_PER_BATCH):
            for run in batch:
                if self._is_closed:
                    return
                try:
                    await self._end(run)
                except Exception as error:
                    if as_unavailable(error) is None:
                        log.exception("run_not_ended", game=run.id)
                    elif self._index.store.is_partly_away(error):
                        self._is_due = True  # the others first, and this one in the next round
                    else:
                        raise
            last = batch[-1]
            await asyncio.sleep(PAUSE_SECONDS)

    async def _end(self, run: AbandonedAttempt) -> None:
        """End a run as of the close of its day, if that is in the log; no move can follow from then on."""
        daily = await self._challenges.get(run.day, self._now())
        if daily is not None and daily.closed:
            await self._commands.end_on_time(run.id, daily.span.closes_at)
            self._cache.drop_unused(run.id)
