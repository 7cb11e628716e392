"""Ends the casual games, practice runs and tries at puzzles that nobody has touched for 30 days.

Such a game is out of time and does not count: it is in no statistics, as if it had not been played. Every node looks
for them, a batch at a time. The log's unique versions accept only one end of a game, so it does not matter which node
writes it, and a batch that was interrupted is done again.
"""

from typing import Protocol

import structlog

from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_index import GameIndex, OldGame
from cadogan.server.core.games.game_state import IDLE_MILLISECONDS, GameState

log = structlog.stdlib.get_logger("cadogan.games")
GAMES_PER_BATCH = 50
"""Unfinished games that one query reads."""
BATCH_PAUSE_SECONDS = 1.0
"""Seconds between two batches, to leave the database to other work."""
PAUSE_SECONDS = 3600.0
"""Seconds after which all unfinished games are looked at again."""


class Commands(Protocol):
    """The game command that ends an idle game."""

    async def end_idle(self, game_id: str, at: int) -> GameState:
        """Return the game, and end it at the time `at` if nobody has touched it for long."""


class IdleGames:
    """Ends idle games, on one node."""

    def __init__(self, index: GameIndex, cache: GameCache, commands: Commands, clocks: ClockCheck, now: Clock) -> None:
        self._index = index
        self._cache = cache
        self._commands = commands
        self._clocks = clocks
        self._now = now
        self._last = OldGame()

    async def run_due(self) -> float | None:
        """End the idle games of the next batch; return the seconds until the one after it."""
        if not await self._clocks.agree():
            return PAUSE_SECONDS
        now = self._now()
        batch = await self._index.old_unranked_games(now - IDLE_MILLISECONDS, self._last, GAMES_PER_BATCH)
        for game_id in await self._index.changed_until([game.id for game in batch], now - IDLE_MILLISECONDS):
            await self._end(game_id, now)
        self._last = batch[-1] if len(batch) == GAMES_PER_BATCH else OldGame()
        return PAUSE_SECONDS if self._last == OldGame() else BATCH_PAUSE_SECONDS

    async def _end(self, game_id: str, now: int) -> None:
        try:
            await self._commands.end_idle(game_id, now)
        except Exception as error:
            if as_unavailable(error) is not None:
                raise
            log.exception("game_not_ended", game=game_id)  # the others are ended nevertheless
        else:
            self._cache.drop_unused(game_id)
