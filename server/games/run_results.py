"""The results of runs that count: whether a player's one attempt at a deal was begun, spoiled or finished."""

from server.core.batching import Batcher
from server.games.game_index import Attempt, GameIndex

MAX_REMEMBERED = 100_000
"""Attempts that are remembered once they are finished or spoiled, since that never changes again."""


class RunResults:
    """Asks the index for attempts, many at once, and remembers what cannot change."""

    def __init__(self, index: GameIndex) -> None:
        self._attempts = Batcher(index.read_attempts)
        self._settled: dict[str, Attempt] = {}

    async def get(self, game_id: str) -> Attempt:
        """Return what the log says of the attempt of this id."""
        known = self._settled.get(game_id)
        if known is None:
            known = await self._attempts.get(game_id) or Attempt()
            if known.spoiled or known.result is not None:
                if len(self._settled) >= MAX_REMEMBERED:
                    self._settled.clear()
                self._settled[game_id] = known
        return known
