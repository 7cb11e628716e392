"""Ends the ranked runs that were unfinished when their day closed, as of the time of the close.

This runs in the background and changes no board, because such runs do not count. Every node would write the same end,
and the log's unique versions accept only one writer. A node searches the unfinished runs of all days when it starts and
after every close. So another node, or this one after a restart, completes the work of a node that stopped.
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
"""Runs that one query reads."""
PAUSE_SECONDS = 0.05
"""Seconds between two batches, to leave the database to other work."""

log = structlog.stdlib.get_logger("cadogan.daily")


class Commands(Protocol):
    """The game command that ends a run."""

    async def end_on_time(self, game_id: str, at: int) -> GameState:
        """Return the game, and end it at the time `at` if it is not over."""


class AbandonedRuns:
    """Ends the unfinished runs, on one node."""

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
        """Search for unfinished runs again, if the day has closed."""
        self._is_due = self._is_due or committed.state.closed

    def end_soon(self) -> None:
        """End unfinished runs in the background, on the first call and after a day has closed."""
        if self._is_due and not self.background.busy:
            self.background.start(self._end_all)

    async def wait_until_idle(self) -> None:
        """Wait until no run is being ended."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """Finish ending the current run, and end no others."""
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
                        self._is_due = True  # continue with the others; this run is retried in the next round
                    else:
                        raise
            last = batch[-1]
            await asyncio.sleep(PAUSE_SECONDS)

    async def _end(self, run: AbandonedAttempt) -> None:
        """End a run as of the close of its day, if the close is in the log; no move can follow."""
        daily = await self._challenges.get(run.day, self._now())
        if daily is not None and daily.closed:
            await self._commands.end_on_time(run.id, daily.span.closes_at)
            self._cache.drop_unused(run.id)
